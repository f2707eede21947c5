/** The request context of a client's request: headers to pass on, and a cancellation that fires when the client disconnects. */
import {
  anonymous,
  createCaller,
  createCancellation,
  type Caller,
  type Cancellation,
} from "@orrery/node";
import { firstOf } from "./respond.ts";
import type { RestRequest } from "./types.ts";

/** Headers that travel with all messages of the request. Source: task headers of `ActionModule`, and W3C Trace Context. */
const PASSED_ON = ["x-opaque-id", "traceparent", "tracestate"] as const;

/**
 * The caller of a request before authentication: no principal, and the headers that travel with all messages of the
 * request. A guard replaces it by a caller with a principal.
 */
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

/** The cancellation of a request, which fires when its client disconnects. */
export function clientCancellation({ onClose }: RestRequest): Cancellation {
  return new ClientCancellation(onClose);
}

/**
 * A cancellation that registers with the connection at the first listener. A class, because one is made per request
 * and few have listeners.
 */
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
