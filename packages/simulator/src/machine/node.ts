/** Machine of Node. */
import type { Machine } from "./machine.ts";

export function nodeMachine(): Machine {
  const { setImmediate: inNextTurn } = globalThis;
  /**
   * Function that Node itself calls at the end of each callback. No public function drains the microtask queue, and a
   * chain of `process.nextTick`, which runs after it, takes longer than many an event.
   */
  const { _tickCallback: settle } = process as { readonly _tickCallback?: () => void };
  return {
    promises: { settle, later: (next) => void inNextTurn(next) },
    sources: [
      { holder: globalThis, key: "setImmediate", name: "setImmediate" },
      { holder: process, key: "hrtime", name: "process.hrtime" },
      { holder: process, key: "uptime", name: "process.uptime" },
    ],
    onUnhandled(listener) {
      process.on("unhandledRejection", listener);
      return () => void process.off("unhandledRejection", listener);
    },
  };
}
