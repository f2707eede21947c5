/** Machine of a browser: a page, or a worker of one. */
import type { Machine } from "./machine.ts";

/** Members of a page's global object that the types of Node lack. */
type Page = typeof globalThis & Pick<EventTarget, "addEventListener" | "removeEventListener">;
type Hearing = InstanceType<typeof MessagePort> & Pick<EventTarget, "addEventListener">;

interface Unhandled extends Event {
  readonly reason: unknown;
}

export function browserMachine(): Machine {
  // A message channel, because nested timers are clamped to several milliseconds.
  const { port1, port2: telling } = new MessageChannel();
  const hearing: Hearing = port1;
  const page = globalThis as Page;
  const waiting: (() => void)[] = [];
  hearing.addEventListener("message", () => waiting.shift()?.());
  hearing.start();
  return {
    promises: {
      settle: undefined,
      later(next) {
        waiting.push(next);
        telling.postMessage(undefined); // oxlint-disable-line unicorn/require-post-message-target-origin -- a port, no window
      },
    },
    sources: [
      { holder: globalThis, key: "requestAnimationFrame", name: "requestAnimationFrame" },
      { holder: globalThis, key: "requestIdleCallback", name: "requestIdleCallback" },
    ],
    onUnhandled(listener) {
      const hear = (event: Event): void => {
        event.preventDefault();
        listener((event as Unhandled).reason);
      };
      page.addEventListener("unhandledrejection", hear);
      return () => page.removeEventListener("unhandledrejection", hear);
    },
  };
}
