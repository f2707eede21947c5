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
  const steps = start(() => isPast(clock, turnEndMs));
  const first = steps.next();
  if (first.done === true) return first.value;
  const goOn = async (): Promise<T> => {
    const line = lineOf(clock);
    const place = line.enter();
    for (;;) {
      await line.nextTurn(place);
      turnEndMs = clock.monotonicMs() + turnMs;
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  };
  return goOn();
}

/** Work that has rested, in the order in which it first did. */
interface Place {
  readonly number: number;
  turns: number;
  /** When its last turn was, counted in turns of all. */
  lastTurn: number;
}

/** Work that had fewer turns is not long yet: it goes before all that is. */
const FEW_TURNS = 10;

/** Of long work so many pieces go on at the same time; what the others hold stays as small as it is. */
const LONG_AT_ONCE = 4;

/**
 * The work of one thread that rests. One turn is given at a time, and whatever else has come goes first each time: requests that end within
 * their first turn wait for one turn of others, not for one of each.
 */
class Line {
  private readonly clock: Clock;
  private readonly waiting: { readonly place: Place; readonly begin: () => void }[] = [];
  private entered = 0;
  private given = 0;
  private isGiving = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  enter(): Place {
    this.entered += 1;
    return { number: this.entered, turns: 0, lastTurn: 0 };
  }

  nextTurn(place: Place): Promise<void> {
    return new Promise((begin) => {
      this.waiting.push({ place, begin });
      if (!this.isGiving) void this.give();
    });
  }

  private async give(): Promise<void> {
    this.isGiving = true;
    while (this.waiting.length > 0) {
      await delay(this.clock, 0);
      const next = this.chosen();
      const [taken] = this.waiting.splice(next, 1);
      if (taken === undefined) continue;
      this.given += 1;
      taken.place.turns += 1;
      taken.place.lastTurn = this.given;
      taken.begin();
    }
    this.isGiving = false;
  }

  /** Index of the one with the fewest turns, or of the long one among the first that has waited longest. */
  private chosen(): number {
    const { waiting } = this;
    const numbers = waiting.map(({ place }) => place.number).toSorted((a, b) => a - b);
    const most = numbers[LONG_AT_ONCE - 1] ?? Infinity;
    let best = 0;
    let bestRank = Infinity;
    for (const [i, { place }] of waiting.entries()) {
      const rank =
        place.turns < FEW_TURNS
          ? place.turns
          : FEW_TURNS + place.lastTurn + (place.number <= most ? 0 : this.given);
      if (rank >= bestRank) continue;
      best = i;
      bestRank = rank;
    }
    return best;
  }
}

const lines = new WeakMap<Clock, Line>();

function lineOf(clock: Clock): Line {
  const known = lines.get(clock);
  if (known !== undefined) return known;
  const line = new Line(clock);
  lines.set(clock, line);
  return line;
}

export interface Turns {
  isOver(): boolean;
  /** Others come first; then the next turn begins. */
  rest(): Promise<void>;
}

/** For work that waits for other things, too. */
export function createTurns(clock: Clock, turnMs: number = TURN_MS): Turns {
  let turnEndMs = clock.monotonicMs() + turnMs;
  return {
    isOver: () => isPast(clock, turnEndMs),
    async rest() {
      await delay(clock, 0);
      turnEndMs = clock.monotonicMs() + turnMs;
    },
  };
}

function isPast(clock: Clock, turnEndMs: number): boolean {
  return clock.monotonicMs() > turnEndMs || clock.areTurnsShort?.() === true;
}
