/**
 * The reconcile loop: runs a list of steps in order, after every change. A change that a step makes leads to another
 * round after the current one, so that no step runs in the middle of another. The loop ends when a round makes no
 * change; steps must therefore be idempotent.
 */

/** Returns the function to call after a change, which runs all steps. Calls during a run lead to one further run. */
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
