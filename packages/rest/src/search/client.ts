/** What the coordinating node may ask of the client it works for: word that it is gone, and room for its answer. */
import type { WaitingClient } from "@orrery/node";
import type { RequestView } from "../operation.ts";

export function clientOf(request: RequestView | undefined): WaitingClient {
  return {
    ...(request?.onClose === undefined ? {} : { onCancel: request.onClose }),
    ...(request?.hold === undefined ? {} : { hold: request.hold }),
  };
}
