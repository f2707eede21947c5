/**
 * Asks a list of questions again whenever something changed, in the order of the list. A change that an answer brings about is looked at
 * when the round is over, so that no question is asked in the middle of another.
 */

/** Does what the question asks for; calls during a round lead to one more round. */
export function createLookLoop(questions: readonly (() => void)[]): () => void {
  let isLooking = false;
  let mustLookAgain = false;
  return () => {
    mustLookAgain = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (mustLookAgain) {
        mustLookAgain = false;
        for (const ask of questions) ask();
      }
    } finally {
      isLooking = false;
    }
  };
}
