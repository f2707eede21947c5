/**
 * Traps: during a run every source of time or chance outside of the simulation throws `ForbiddenCall`.
 *
 * From time to time the real event loop gets a turn without traps, because unhandled rejections are reported only then.
 */
import type { Source } from "./machine/machine.ts";
import { thisMachine } from "./machine/this-machine.ts";

/** Sources of time and chance in every JavaScript engine. */
const FORBIDDEN: readonly Source[] = [
  { holder: globalThis, key: "setTimeout", name: "setTimeout" },
  { holder: globalThis, key: "setInterval", name: "setInterval" },
  { holder: globalThis, key: "fetch", name: "fetch" },
  { holder: Date, key: "now", name: "Date.now" },
  { holder: Math, key: "random", name: "Math.random" },
  { holder: performance, key: "now", name: "performance.now" },
  { holder: crypto, key: "getRandomValues", name: "crypto.getRandomValues" },
  { holder: crypto, key: "randomUUID", name: "crypto.randomUUID" },
  { holder: AbortSignal, key: "timeout", name: "AbortSignal.timeout" },
  ...thisMachine.sources,
];

/** Error of a call to a source of time or chance that does not belong to the simulation. */
export class ForbiddenCall extends Error {
  override readonly name = "ForbiddenCall";
}

/** Removes the active traps; `undefined` if none are set. */
let lift: (() => void) | undefined;

/** Sets the traps; returns the function that removes them. */
export function setTraps(): () => void {
  lift?.();
  lift = layTraps();
  return () => {
    lift?.();
    lift = undefined;
  };
}

/** Resolves in a later turn of the event loop; the traps are then as they were at the call. */
export function turnOfTheMachine(): Promise<void> {
  return new Promise((resolve) => {
    inLaterTurn(resolve);
  });
}

/** Calls `next` as a callback of the event loop, not as a reaction of a promise; active traps are lifted until then. */
export function inLaterTurn(next: () => void): void {
  const isTrapped = lift !== undefined;
  lift?.();
  thisMachine.promises.later(() => {
    if (isTrapped) lift = layTraps();
    next();
  });
}

function layTraps(): () => void {
  const undo: (() => void)[] = [];
  for (const { holder, key, name } of FORBIDDEN) {
    const before = Object.getOwnPropertyDescriptor(holder, key);
    const trap = (): never => {
      throw new ForbiddenCall(`${name} is not a source of time or chance in a simulation`);
    };
    // `process.hrtime.bigint` reads the clock as well.
    Object.assign(trap, { bigint: trap });
    Object.defineProperty(holder, key, { value: trap, configurable: true, writable: true });
    undo.push(() => {
      if (before === undefined) Reflect.deleteProperty(holder, key);
      else Object.defineProperty(holder, key, before);
    });
  }
  undo.push(trapDateConstructor());
  return () => {
    for (const restore of undo) restore();
  };
}

/** Trap for `new Date()`, which reads the clock; `new Date(ms)` does not and stays usable. */
function trapDateConstructor(): () => void {
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: [], newTarget) => {
      if (args.length === 0)
        throw new ForbiddenCall("new Date() is not a source of time in a simulation");
      return Reflect.construct(target, args, newTarget) as Date;
    },
    apply: () => {
      throw new ForbiddenCall("Date() is not a source of time in a simulation");
    },
  });
  return () => {
    globalThis.Date = RealDate;
  };
}
