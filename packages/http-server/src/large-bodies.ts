/**
 * Limit of large bodies in progress. Parsing a body takes many times its size, so the sum of the large bodies that are
 * decompressed and processed at a time is bounded; the others wait in the order of arrival, still compressed.
 */

/** Bound of that sum: two bodies of the default `http.max_content_length`. */
const TOGETHER_BYTES = 256 * 1024 * 1024;

/** Smaller bodies neither wait nor count. */
const LARGE_BYTES = 1024 * 1024;

/** Releases the slot of a body; called when the body has been processed. */
export type Leave = () => void;

export interface LargeBodies {
  /** Waits for a slot; `undefined` for a small body, which needs none. */
  enter(bytes: number): Promise<Leave> | undefined;
}

export function isLarge(bytes: number): boolean {
  return bytes >= LARGE_BYTES;
}

interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

export function createLargeBodies(togetherBytes: number = TOGETHER_BYTES): LargeBodies {
  const waiting = new Set<Waiting>();
  let entered = 0;

  const startNext = (): void => {
    for (const next of waiting) {
      if (entered > 0 && entered + next.weight > togetherBytes) return;
      waiting.delete(next);
      entered += next.weight;
      next.start();
    }
  };

  return {
    enter(bytes) {
      if (!isLarge(bytes)) return undefined;
      const weight = Math.min(bytes, togetherBytes);
      return new Promise((resolve) => {
        const leave = (): void => {
          entered -= weight;
          startNext();
        };
        waiting.add({ weight, start: () => resolve(leave) });
        startNext();
      });
    },
  };
}
