/**
 * Whether operations that overlap in time could have happened one after the other, each at some moment between its
 * invocation and its return: the search of Wing and Gong with the memory of Lowe ("Testing for linearizability", 2017).
 *
 * An operation that never returned may have happened at any time after its invocation, or not at all; an optional one, before
 * it returned or not at all.
 */

export interface Step<State> {
  readonly invokedMs: number;
  /** Infinity: it is not known whether it happened. */
  readonly returnedMs: number;
  readonly isOptional?: boolean;
  /** The state after it; `undefined` when it cannot have happened in this one. */
  readonly apply: (state: State) => State | undefined;
}

export interface Model<State> {
  readonly initial: State;
  /** Equal for states that allow the same future. */
  readonly identify: (state: State) => string | number;
}

export type Judgement =
  | { readonly kind: "linearizable" }
  /** `longest`: so many steps could be put in order; `stuck`: the step that had to be next and could not. */
  | { readonly kind: "impossible"; readonly longest: number; readonly stuck: number }
  /** The search took more steps than it was allowed. */
  | { readonly kind: "undecided" };

const MOST_TRIES = 2_000_000;

export function judgeSteps<State>(
  model: Model<State>,
  steps: readonly Step<State>[],
  mostTries: number = MOST_TRIES,
): Judgement {
  const quick = search(model, steps, hashedMemory(steps.length), mostTries);
  // Hashes may collide: what they find impossible is looked at again without them.
  return quick.kind === "impossible" ? search(model, steps, exactMemory(), mostTries) : quick;
}

/** Which sets of steps were tried, in which state they ended. */
interface Memory {
  add(step: number): void;
  remove(step: number): void;
  /** False when this set was there before in this state. */
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
    // What returned here has to have happened by now.
    if (done.length >= longest) {
      longest = done.length;
      stuck = list.stepAt(at);
    }
    const returning = list.stepAt(at);
    if (steps[returning]?.isOptional === true) {
      // It did not happen. Nothing else is left to try here: who comes back to this goes further back.
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

/** Calls and returns in the order of time, in a list that steps are taken out of and put back into. */
function createTimeline(steps: readonly Pick<Step<never>, "invokedMs" | "returnedMs">[]) {
  const count = steps.length;
  // Entry 2 i is the call of step i, 2 i + 1 its return; what is called when another returns overlaps it.
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
    /** The step that is called here; `undefined` at a return and at the end. */
    callAt: (entry: number): number | undefined =>
      entry === end || (entry & 1) === 1 ? undefined : entry >> 1,
    stepAt: (entry: number): number => entry >> 1,
    entryOf: (step: number): number => 2 * step,
    /** True when the step has a return. */
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

/** Sets by a hash of 53 bits: one number for each step, combined by exclusive or. */
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
