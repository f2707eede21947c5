/** A connection between two named nodes, as the simulated network sees it: two ends, a pipe each way, packets. */
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
  /** It closed, or was told that the connection is over. */
  isClosed: boolean;
}

/** A frame on its way, with what the trace says about it. */
export interface Packet {
  readonly bytes: Uint8Array;
  readonly isOneWay: boolean;
  readonly what: Omit<Extract<TraceEvent, { readonly kind: "message-sent" }>, "kind">;
}

export interface Pipe {
  readonly from: End;
  readonly to: End;
  /** No frame may arrive before this. */
  readyAtMs: number;
  queuedBytes: number;
  /** The sender was told `full` and waits to hear of room. */
  isBlocked: boolean;
  /** What a cut link or one that is not open yet keeps back. */
  held: Packet[];
  /** The last thing to arrive: why the connection is over. */
  heldEnd: string | undefined;
}

export interface Link {
  readonly channel: ChannelClass;
  readonly there: Pipe;
  readonly back: Pipe;
  isOpen: boolean;
  /** What is on its way will not arrive. */
  isBroken: boolean;
  /** Frames do not get through, and an end hears that the link is over when it sends, as far as anything answers. */
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

/** The pipe that this node sends into. */
export function outOf(link: Link, node: string): Pipe {
  return link.there.from.node === node ? link.there : link.back;
}

/** Bytes that are no frame travel, too: what to make of them is the receiver's business. */
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
