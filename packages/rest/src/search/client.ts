/** Adapts a request to the coordinating node's `WaitingClient`: disconnects and response bytes. */
import type { WaitingClient } from "@orrery/node";
import type { RequestView } from "../operation.ts";

/** The waiting client of a request. `request` of `undefined`: a client that never disconnects. */
export function clientOf(request: RequestView | undefined): WaitingClient {
  return {
    ...(request?.onClose === undefined ? {} : { onCancel: request.onClose }),
    ...(request?.hold === undefined ? {} : { hold: request.hold }),
  };
}
