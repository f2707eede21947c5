/** The context that a client's request begins with: its passed-on headers, and a cancellation that fires when the client is gone. */
import {
  anonymous,
  createCaller,
  createCancellation,
  type Caller,
  type Cancellation,
} from "@orrery/node";
import { firstOf } from "./respond.ts";
import type { RestRequest } from "./types.ts";

/** Source: `ActionModule`'s task headers, and those of W3C Trace Context. */
const PASSED_ON = ["x-opaque-id", "traceparent", "tracestate"] as const;

/** Nobody has authenticated it yet: that is a guard's. */
export function callerOf({ headers }: RestRequest): Caller {
  let passedOn: Map<string, string> | undefined;
  for (const name of PASSED_ON) {
    const value = firstOf(headers[name]);
    if (value !== undefined) (passedOn ??= new Map()).set(name, value);
  }
  return passedOn === undefined
    ? anonymous
    : createCaller({ principal: undefined, headers: passedOn });
}

export function clientCancellation({ onClose }: RestRequest): Cancellation {
  return new ClientCancellation(onClose);
}

/** A class, as every request makes one and hardly any asks it anything: the client is listened to from then on. */
class ClientCancellation implements Cancellation {
  private readonly onClose: RestRequest["onClose"];
  private listening: Cancellation | undefined;

  constructor(onClose: RestRequest["onClose"]) {
    this.onClose = onClose;
  }

  get isCancelled(): boolean {
    return this.heard.isCancelled;
  }

  get reason(): string {
    return this.heard.reason;
  }

  onCancel(callback: (reason: string) => void): () => void {
    return this.heard.onCancel(callback);
  }

  private get heard(): Cancellation {
    if (this.listening !== undefined) return this.listening;
    const source = createCancellation();
    this.onClose?.(() => source.cancel("the client has closed its connection"));
    return (this.listening = source);
  }
}
