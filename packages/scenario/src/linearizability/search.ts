/**
 * Linearizability check: whether concurrent operations could have executed one after the other, each at some moment
 * between its invocation and its return. Algorithm of Wing and Gong with the memoisation of Lowe ("Testing for
 * linearizability", 2017).
 *
 * An operation that never returned may have executed at any time after its invocation, or not at all; an optional one,
 * before its return or not at all.
 */

/** Operation as a step of the model, with its time range. */
export interface Step<State> {
  readonly invokedMs: number;
  /** Time of the return; Infinity if it is unknown whether the operation executed. */
  readonly returnedMs: number;
  readonly isOptional?: boolean;
  /** State after the step; `undefined` if the step cannot execute in this state. */
  readonly apply: (state: State) => State | undefined;
}

/** Sequential specification that the steps must satisfy. */
export interface Model<State> {
  readonly initial: State;
  /** Key of a state, equal for states that allow the same continuations. */
  readonly identify: (state: State) => string | number;
}

/** Result of the search. */
export type Judgement =
  | { readonly kind: "linearizable" }
  /**
   * `longest`: the largest number of steps that could be ordered; `stuck`: index of the step that could not be placed
   * after them.
   */
  | { readonly kind: "impossible"; readonly longest: number; readonly stuck: number }
  /** The search exceeded its limit of steps. */
  | { readonly kind: "undecided" };

const MOST_TRIES = 2_000_000;

/** Searches for an order of the steps that the model accepts, within a limit of tried steps. */
export function judgeSteps<State>(
  model: Model<State>,
  steps: readonly Step<State>[],
  mostTries: number = MOST_TRIES,
): Judgement {
  const quick = search(model, steps, hashedMemory(steps.length), mostTries);
  // Hashes may collide, so an impossibility found with them is verified without them.
  return quick.kind === "impossible" ? search(model, steps, exactMemory(), mostTries) : quick;
}

/** Memory of the sets of executed steps that were tried, with the state each ended in. */
interface Memory {
  add(step: number): void;
  remove(step: number): void;
  /** Records the current set with this state; false if the combination was recorded before. */
  enter(state: string | number): boolean;
}

function search<State>(
  { initial, identify }: Model<State>,
  steps: readonly Step<State>[],
  memory: Memory,
  mostTries: number,
): Judgement {
  const list = createTimeline(steps);
  const done: { readonly step: number; readonly before: State; readonly isDropped: boolean }[] = [];
  let pending = steps.filter(({ returnedMs }) => returnedMs !== Number.POSITIVE_INFINITY).length;
  let state = initial;
  let longest = 0;
  let stuck = 0;
  let tries = 0;
  let at = list.first();
  while (pending > 0) {
    const step = list.callAt(at);
    if (step !== undefined) {
      tries += 1;
      if (tries > mostTries) return { kind: "undecided" };
      const next = steps[step]?.apply(state);
      if (next !== undefined) {
        memory.add(step);
        if (memory.enter(identify(next))) {
          done.push({ step, before: state, isDropped: false });
          state = next;
          if (list.lift(step)) pending -= 1;
          at = list.first();
          continue;
        }
        memory.remove(step);
      }
      at = list.after(at);
      continue;
    }
    // A step that returns here must have executed by now.
    if (done.length >= longest) {
      longest = done.length;
      stuck = list.stepAt(at);
    }
    const returning = list.stepAt(at);
    if (steps[returning]?.isOptional === true) {
      // The optional step did not execute; no alternative remains at this entry, so the search backtracks.
      memory.add(returning);
      done.push({ step: returning, before: state, isDropped: true });
      if (list.lift(returning)) pending -= 1;
      at = list.first();
      continue;
    }
    let last = done.pop();
    for (; last !== undefined; last = done.pop()) {
      memory.remove(last.step);
      state = last.before;
      if (list.putBack(last.step)) pending += 1;
      if (!last.isDropped) break;
    }
    if (last === undefined) return { kind: "impossible", longest, stuck };
    at = list.after(list.entryOf(last.step));
  }
  return { kind: "linearizable" };
}

/**
 * Invocations and returns in the order of time, as a linked list from which steps are removed and to which they are
 * restored.
 */
function createTimeline(steps: readonly Pick<Step<never>, "invokedMs" | "returnedMs">[]) {
  const count = steps.length;
  // Entry 2 i is the invocation of step i, 2 i + 1 its return. At equal times invocations precede returns, so that the
  // steps overlap.
  const entries = steps.flatMap(({ returnedMs }, i) =>
    returnedMs === Number.POSITIVE_INFINITY ? [2 * i] : [2 * i, 2 * i + 1],
  );
  const timeOf = (entry: number): number => {
    const step = steps[entry >> 1];
    return (entry & 1) === 0 ? (step?.invokedMs ?? 0) : (step?.returnedMs ?? 0);
  };
  entries.sort((a, b) => timeOf(a) - timeOf(b) || (a & 1) - (b & 1) || a - b);
  const end = 2 * count;
  const next = new Int32Array(2 * count + 1).fill(end);
  const previous = new Int32Array(2 * count + 1).fill(end);
  let last = end;
  for (const entry of entries) {
    next[last] = entry;
    previous[entry] = last;
    last = entry;
  }
  next[last] = end;
  previous[end] = last;

  const cut = (entry: number): void => {
    next[previous[entry] ?? end] = next[entry] ?? end;
    previous[next[entry] ?? end] = previous[entry] ?? end;
  };
  const insert = (entry: number): void => {
    next[previous[entry] ?? end] = entry;
    previous[next[entry] ?? end] = entry;
  };
  const returns = (step: number): boolean => steps[step]?.returnedMs !== Number.POSITIVE_INFINITY;

  return {
    first: (): number => next[end] ?? end,
    after: (entry: number): number => next[entry] ?? end,
    /** Step whose invocation this entry is; `undefined` for a return and the end. */
    callAt: (entry: number): number | undefined =>
      entry === end || (entry & 1) === 1 ? undefined : entry >> 1,
    stepAt: (entry: number): number => entry >> 1,
    entryOf: (step: number): number => 2 * step,
    /** Removes a step; true if it has a return. */
    lift: (step: number): boolean => {
      cut(2 * step);
      if (returns(step)) cut(2 * step + 1);
      return returns(step);
    },
    putBack: (step: number): boolean => {
      if (returns(step)) insert(2 * step + 1);
      insert(2 * step);
      return returns(step);
    },
  };
}

/** Memory of sets by a hash of 53 bits: one random number for each step, combined by exclusive or. */
function hashedMemory(count: number): Memory {
  const low = new Int32Array(count);
  const high = new Int32Array(count);
  let seed = 0x2545f491;
  const draw = (): number => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return seed;
  };
  for (let i = 0; i < count; i += 1) {
    low[i] = draw();
    high[i] = draw();
  }
  let [lowNow, highNow] = [0, 0];
  const known = new Map<string | number, Set<number>>();
  const toggle = (step: number): void => {
    lowNow ^= low[step] ?? 0;
    highNow ^= high[step] ?? 0;
  };
  return {
    add: toggle,
    remove: toggle,
    enter: (state) => {
      const sets = known.get(state) ?? new Set();
      known.set(state, sets);
      const before = sets.size;
      sets.add((lowNow >>> 0) * 2 ** 21 + (highNow & 0x1fffff));
      return sets.size > before;
    },
  };
}

function exactMemory(): Memory {
  let members = 0n;
  const known = new Set<string>();
  const toggle = (step: number): void => {
    members ^= 1n << BigInt(step);
  };
  return {
    add: toggle,
    remove: toggle,
    enter: (state) => {
      const key = `${members.toString(36)} ${state}`;
      if (known.has(key)) return false;
      known.add(key);
      return true;
    },
  };
}
