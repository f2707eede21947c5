/**
 * Trace events of frames: sent, delivered, dropped. The node that opened a connection records both
 * directions, as it observes them.
 */
import { readFrameLabel, type Trace } from "@orrery/ports";
import { OperationError } from "@orrery/stdx";

export interface MessageTrace {
  sent(direction: Direction, frame: Uint8Array): void;
  delivered(direction: Direction, frame: Uint8Array): void;
  dropped(direction: Direction, frame: Uint8Array, reason: string): void;
}

export interface Direction {
  readonly from: string;
  readonly to: string;
}

const silent: MessageTrace = {
  sent: () => undefined,
  delivered: () => undefined,
  dropped: () => undefined,
};

/** Without a trace no frame is decoded. */
export function createMessageTrace(trace: Trace | undefined): MessageTrace {
  if (trace === undefined) return silent;
  return {
    sent: (direction, frame) => trace({ kind: "message-sent", ...describe(direction, frame) }),
    delivered: (direction, frame) =>
      trace({ kind: "message-delivered", ...describe(direction, frame) }),
    dropped: (direction, frame, reason) =>
      trace({ kind: "message-dropped", ...describe(direction, frame), reason }),
  };
}

function describe({ from, to }: Direction, frame: Uint8Array) {
  const { action, correlationId, kind, shard } = labelOf(frame);
  const sizeBytes = frame.length;
  return {
    ...{ from, to, action, correlationId, frameKind: kind, sizeBytes },
    ...(shard === "" ? {} : { shard }),
  };
}

function labelOf(frame: Uint8Array) {
  try {
    return readFrameLabel(frame);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { action: "", correlationId: 0, kind: "unreadable", shard: "" };
  }
}
