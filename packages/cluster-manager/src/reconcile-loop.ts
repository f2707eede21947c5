/**
 * Asks a list of steps again whenever something changed, in the order of the list. A change that an answer brings about is looked at
 * when the round is over, so that no question is asked in the middle of another.
 */

/** Does what the question asks for; calls during a round lead to one more round. */
export function createReconcileLoop(steps: readonly (() => void)[]): () => void {
  let isRunning = false;
  let mustRunAgain = false;
  return () => {
    mustRunAgain = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (mustRunAgain) {
        mustRunAgain = false;
        for (const step of steps) step();
      }
    } finally {
      isRunning = false;
    }
  };
}
