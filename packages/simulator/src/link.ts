/** Connection between two named nodes in the simulated network: two ends, a pipe for each direction, and packets. */
import {
  readFrameLabel,
  type ChannelClass,
  type ConnectionEvents,
  type TraceEvent,
} from "@orrery/ports";
import { OperationError } from "@orrery/stdx";

/** One end of a connection. */
export interface End {
  readonly node: string;
  alive: () => boolean;
  events: ConnectionEvents | undefined;
  /** True once this end has closed the connection, or its `onClose` was called. */
  isClosed: boolean;
}

/** Frame in flight, with the fields of its trace events. */
export interface Packet {
  readonly bytes: Uint8Array;
  readonly isOneWay: boolean;
  readonly what: Omit<Extract<TraceEvent, { readonly kind: "message-sent" }>, "kind">;
}

/** One direction of a connection. */
export interface Pipe {
  readonly from: End;
  readonly to: End;
  /** Earliest arrival time of the next frame that keeps the order. */
  readyAtMs: number;
  queuedBytes: number;
  /** A `send` returned `full`, so the sender expects `onDrain`. */
  isBlocked: boolean;
  /** Packets held back while the link is cut or not open yet. */
  held: Packet[];
  /** Close reason held back behind the packets; `undefined` if the link is not closing. */
  heldEnd: string | undefined;
}

/** Connection with its two directions. `there` leads from the end that connected to the one that accepted. */
export interface Link {
  readonly channel: ChannelClass;
  readonly there: Pipe;
  readonly back: Pipe;
  isOpen: boolean;
  /** Packets in flight are dropped on arrival. */
  isBroken: boolean;
  /**
   * Frames do not get through (half-open). An end receives `onClose` after it has sent a frame, unless a rule
   * suppresses the response.
   */
  isDead: boolean;
  isOver: boolean;
}

export function newEnd(node: string, alive: () => boolean): End {
  return { node, alive, events: undefined, isClosed: false };
}

export function newLink(channel: ChannelClass, near: End, far: End): Link {
  return {
    channel,
    there: newPipe(near, far),
    back: newPipe(far, near),
    isOpen: false,
    isBroken: false,
    isDead: false,
    isOver: false,
  };
}

function newPipe(from: End, to: End): Pipe {
  return {
    from,
    to,
    readyAtMs: 0,
    queuedBytes: 0,
    isBlocked: false,
    held: [],
    heldEnd: undefined,
  };
}

/** Pipe that this node sends into. */
export function outOf(link: Link, node: string): Pipe {
  return link.there.from.node === node ? link.there : link.back;
}

/** Packet of a frame. Bytes that are no valid frame are carried as well: rejecting them is the receiver's task. */
export function pack({ from, to }: Pipe, bytes: Uint8Array): Packet {
  const { action, correlationId, kind, shard } = headerOf(bytes);
  return {
    bytes,
    isOneWay: kind === "one-way",
    what: {
      from: from.node,
      to: to.node,
      action,
      correlationId,
      frameKind: kind,
      sizeBytes: bytes.length,
      ...(shard === "" ? {} : { shard }),
    },
  };
}

function headerOf(bytes: Uint8Array) {
  try {
    return readFrameLabel(bytes);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { action: "", correlationId: 0, kind: "unreadable", shard: "" };
  }
}
