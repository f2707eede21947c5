/** Lets a world run until something holds: virtual worlds step their clock, real ones wait. */

/** Rejects when it will not come to hold. */
export type Settle = (until: () => boolean) => Promise<void>;

const patienceMs = 10_000;

export const settleInRealTime: Settle = async (until) => {
  const deadline = performance.now() + patienceMs;
  while (!until()) {
    if (performance.now() > deadline)
      throw new Error(`not within ${patienceMs} ms: ${String(until)}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
};

/** What a promise ends with, while the world runs. */
export async function completed<T>(settle: Settle, promise: Promise<T>): Promise<T> {
  let isDone = false;
  const done = (): void => {
    isDone = true;
  };
  promise.then(done, done);
  await settle(() => isDone);
  return promise;
}
