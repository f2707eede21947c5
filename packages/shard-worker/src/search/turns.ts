/** Long work of a request, in turns: other work of the worker, and the news that nobody waits for this any more, come between. */
import { delay, type Clock } from "@orrery/ports";

/** How long one request may keep all others waiting. */
const TURN_MS = 20;

export type Steps<T> = (isTurnOver: () => boolean) => Generator<undefined, T>;

/** What ends within its first turn ends at once. */
export function inTurns<T>(clock: Clock, start: Steps<T>): T | Promise<T> {
  let turnEndMs = clock.monotonicMs() + TURN_MS;
  const steps = start(() => clock.monotonicMs() > turnEndMs);
  const first = steps.next();
  if (first.done === true) return first.value;
  const goOn = async (): Promise<T> => {
    for (;;) {
      await delay(clock, 0);
      turnEndMs = clock.monotonicMs() + TURN_MS;
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  };
  return goOn();
}
