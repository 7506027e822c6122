/** Runs a job for each item, with limited concurrency. */
export async function inParallel<T>(
  items: Iterable<T>,
  atATime: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const next = [...items].values();
  const worker = async () => {
    for (const item of next) await run(item);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}
