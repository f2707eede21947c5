/** Long work of a request, in turns: other work of its thread, and the news that nobody waits for this any more, come between. */
import { delay, type Clock } from "./clock.ts";

/** How long one request of a shard worker may keep all others waiting. */
const TURN_MS = 20;

/** On a node's main thread, where health and the heartbeats are. */
export const MAIN_TURN_MS = 8;

export type Steps<T> = (isTurnOver: () => boolean) => Generator<undefined, T>;

/** Work that ends within its first turn ends at once. */
export function inTurns<T>(
  clock: Clock,
  start: Steps<T>,
  turnMs: number = TURN_MS,
): T | Promise<T> {
  let turnEndMs = clock.monotonicMs() + turnMs;
  const steps = start(() => clock.monotonicMs() > turnEndMs);
  const first = steps.next();
  if (first.done === true) return first.value;
  const goOn = async (): Promise<T> => {
    for (;;) {
      await delay(clock, 0);
      turnEndMs = clock.monotonicMs() + turnMs;
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  };
  return goOn();
}

export interface Turns {
  isOver(): boolean;
  /** Others come first; then the next turn begins. */
  rest(): Promise<void>;
}

/** For work that waits for other things, too. */
export function createTurns(clock: Clock): Turns {
  let turnEndMs = clock.monotonicMs() + TURN_MS;
  return {
    isOver: () => clock.monotonicMs() > turnEndMs,
    async rest() {
      await delay(clock, 0);
      turnEndMs = clock.monotonicMs() + TURN_MS;
    },
  };
}
