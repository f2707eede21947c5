/** NodeStore port with faults: writes that fail, and writes that complete late. */
import { delay, type Clock, type NodeStore } from "@orrery/ports";
import { OperationError } from "@orrery/stdx";
import type { FaultState } from "./fault-state.ts";

export interface StoreFaultsOptions {
  readonly self: string;
  readonly state: FaultState;
  readonly clock: Clock;
}

export function withStoreFaults(
  store: NodeStore,
  { self, state, clock }: StoreFaultsOptions,
): NodeStore {
  let readyAtMs = 0;

  const waitMs = (): number => {
    let delayMs = 0;
    for (const rule of [...state.at("store-slow", self), ...state.at("slow", self)]) {
      state.tookEffect(rule.id);
      delayMs += rule.delayMs;
    }
    // Writes complete in the order in which they were made, whatever the delay of each.
    const nowMs = clock.monotonicMs();
    readyAtMs = Math.max(readyAtMs, nowMs + delayMs);
    return readyAtMs - nowMs;
  };

  return {
    load: () => store.load(),
    write: async (batch) => {
      const [failing] = state.at("store-fails", self);
      if (failing !== undefined) {
        state.tookEffect(failing.id);
        const reason = `the store of [${self}] cannot be written`;
        throw new OperationError({ type: "i_o_exception", reason, status: 500 });
      }
      const done = store.write(batch);
      const leftMs = waitMs();
      if (leftMs <= 0) return done;
      // `return done` below reports a rejection; until the delay is over it must count as handled.
      done.catch(() => undefined);
      await delay(clock, leftMs);
      return done;
    },
    close: () => store.close(),
  };
}
