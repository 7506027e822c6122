/** Steps of a page that calls the facade itself, as a host's developer does. */
import { fileURLToPath } from 'node:url';
import { type Demo, until } from './steps.js';

/** Starts an operation of the facade page without waiting for its end. */
export const begin = ({ browser }: Demo, body: string, ...args: unknown[]): Promise<void> =>
  browser.evaluate(
    `globalThis.outcome = undefined;
    const operation = async (...args) => { ${body} };
    operation(...args).then(
      (result) => { window.outcome = JSON.stringify(result); },
      (error) => { window.outcome = JSON.stringify({ success: false, error: String(error) }); });`,
    ...args,
  );

/** The outcome of the latest operation. */
export async function outcomeOf<T = Outcome>(demo: Demo): Promise<T> {
  const text = await until(demo, 'end of the operation', () =>
    demo.browser.evaluate<string | null>('return window.outcome ?? null;'),
  );
  return JSON.parse(text) as T;
}

export interface Outcome {
  success: boolean;
  error?: string;
  errorCode?: string;
}

/** Opens the facade on a page of its own; returns the page's address. */
export async function openFacade(demo: Demo): Promise<string> {
  const root = fileURLToPath(new URL('../e2e/facade-page/', import.meta.url));
  const url = await demo.stack.addPage(root, 'facade');
  await demo.browser.open(url);
  return url;
}
