/**
 * Large bodies, unpacked and worked on a few at a time: a body becomes many times its size while it is read, so the sum of those
 * that are read at the same time is bounded. The others wait in the order they came, still packed.
 */

/** Together; two of the largest that `http.max_content_length` lets through by default. */
const TOGETHER_BYTES = 256 * 1024 * 1024;

/** Smaller ones neither wait nor are waited for. */
const LARGE_BYTES = 1024 * 1024;

/** To be called when the body is done with. */
export type Leave = () => void;

export interface LargeBodies {
  /** `undefined` when nobody has to be asked. */
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
