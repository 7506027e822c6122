import type { Frame } from '@playwright/test';

/** Everything in the origin's storage, as text; bytes as base64. */
export const storageDump = (at: Frame): Promise<string> =>
  at.evaluate(async () => {
    const parts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie];
    const asText = (_key: string, value: unknown) =>
      value instanceof ArrayBuffer || ArrayBuffer.isView(value)
        ? Array.from(new Uint8Array(value instanceof ArrayBuffer ? value : value.buffer)).join(',')
        : value;
    for (const { name } of await indexedDB.databases()) {
      if (!name) continue;
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      for (const store of db.objectStoreNames) {
        const records = await new Promise<unknown[]>((resolve, reject) => {
          const request = db.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
        parts.push(`${name}/${store}: ${JSON.stringify(records, asText)}`);
      }
      db.close();
    }
    return parts.join('\n');
  });
