/** A request as the client that the coordinating node works for: it tells when it is gone, and has room for so much of an answer. */
import type { WaitingClient } from "@orrery/node";
import type { RequestView } from "../operation.ts";

export function clientOf(request: RequestView | undefined): WaitingClient {
  return {
    ...(request?.onClose === undefined ? {} : { onCancel: request.onClose }),
    ...(request?.hold === undefined ? {} : { hold: request.hold }),
  };
}
