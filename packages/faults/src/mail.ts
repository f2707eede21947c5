/**
 * Trace events of frames: sent, delivered, dropped. The node that opened a connection records both
 * directions, as it observes them.
 */
import { readFrameLabel, type Trace } from "@orrery/ports";
import { OperationError } from "@orrery/stdx";

export interface Mail {
  sent(way: Way, frame: Uint8Array): void;
  delivered(way: Way, frame: Uint8Array): void;
  dropped(way: Way, frame: Uint8Array, reason: string): void;
}

export interface Way {
  readonly from: string;
  readonly to: string;
}

const silent: Mail = {
  sent: () => undefined,
  delivered: () => undefined,
  dropped: () => undefined,
};

/** Without a trace no frame is decoded. */
export function createMail(trace: Trace | undefined): Mail {
  if (trace === undefined) return silent;
  return {
    sent: (way, frame) => trace({ kind: "message-sent", ...describe(way, frame) }),
    delivered: (way, frame) => trace({ kind: "message-delivered", ...describe(way, frame) }),
    dropped: (way, frame, reason) =>
      trace({ kind: "message-dropped", ...describe(way, frame), reason }),
  };
}

function describe({ from, to }: Way, frame: Uint8Array) {
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
