/**
 * The simulated network: connections between named nodes, each frame delayed by a drawn latency, in order within its
 * connection, as TCP has it.
 *
 * Cut links hold frames back, as a retransmitting sender would, and with them the news that an end has closed or is gone. A
 * lost frame breaks its connection. Only one-way frames are lost alone, duplicated or overtaken: what has an answer is one
 * stream.
 */
import {
  maxFrameBytes,
  readFrameLabel,
  type ChannelClass,
  type Connection,
  type ConnectionEvents,
  type Network,
  type TraceEvent,
} from "@orrery/ports";
import { assert, OperationError, type Random } from "@orrery/stdx";
import type { EventQueue } from "./event-queue.ts";

/** What the network does to frames; probabilities in thousandths. */
export interface NetworkConditions {
  readonly latencyMs: { readonly low: number; readonly high: number };
  readonly lossPerMille: number;
  readonly duplicatePerMille: number;
  readonly reorderPerMille: number;
}

export const calmNetwork: NetworkConditions = {
  latencyMs: { low: 0.1, high: 0.6 },
  lossPerMille: 0,
  duplicatePerMille: 0,
  reorderPerMille: 0,
};

export interface NetworkModel {
  /** The Network port of one incarnation of a node, which hears nothing more once `alive` says no. */
  network(node: string, alive?: () => boolean): Network;
  /** How frames travel from now on; returns what takes it back. The newest conditions count. */
  setConditions(conditions: NetworkConditions): () => void;
  /** Cuts every link between the two groups, both ways; returns what mends it. */
  cut(inside: readonly string[], outside: readonly string[]): () => void;
  /** The node is gone: its connections break, nobody is told from its side. */
  crash(node: string): void;
}

export interface NetworkModelOptions {
  readonly queue: EventQueue;
  readonly random: Random;
  readonly record: (node: string, event: TraceEvent) => void;
  /** How much one direction of a connection may hold before `send` answers `full`. */
  readonly queueBytes?: number;
}

/** One end of a connection. */
interface End {
  readonly node: string;
  alive: () => boolean;
  events: ConnectionEvents | undefined;
  /** It closed, or was told that the connection is over. */
  isClosed: boolean;
}

/** A frame on its way, with what the trace says about it. */
interface Packet {
  readonly bytes: Uint8Array;
  readonly isOneWay: boolean;
  readonly what: Omit<Extract<TraceEvent, { readonly kind: "message-sent" }>, "kind">;
}

interface Pipe {
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

interface Link {
  readonly channel: ChannelClass;
  readonly there: Pipe;
  readonly back: Pipe;
  isOpen: boolean;
  /** What is on its way will not arrive. */
  isBroken: boolean;
  isOver: boolean;
}

/** Frames of one pipe never arrive at the same instant: equal times are shuffled. */
const APART_MS = 0.001;

/** As the real transports have it. */
const QUEUE_BYTES = 32 * 1024 * 1024;

const CONNECT_RETRY_MS = 1000;

export function createNetworkModel(options: NetworkModelOptions): NetworkModel {
  const { queue, random, record, queueBytes = QUEUE_BYTES } = options;
  const listeners = new Map<string, Listener>();
  const links = new Set<Link>();
  const cuts = new Set<Cut>();
  let layers: readonly NetworkConditions[] = [calmNetwork];
  let conditions = calmNetwork;

  const latency = (): number => {
    const { low, high } = conditions.latencyMs;
    return low + (random.int(0, 1000) / 1000) * (high - low);
  };
  const chance = (perMille: number): boolean => perMille > 0 && random.int(1, 1000) <= perMille;
  const isCut = (pipe: Pipe): boolean =>
    cuts.size > 0 && [...cuts].some((cut) => isAcross(cut, pipe.from.node, pipe.to.node));

  const over = (link: Link, reason: string): void => {
    if (link.isOver) return;
    link.isOver = true;
    const { from, to } = link.there;
    record(from.node, { kind: "connection-closed", from: from.node, to: to.node, reason });
  };

  /** The end hears that the connection is over; once. */
  const tell = (link: Link, end: End, reason: string): void => {
    const { events } = end;
    end.events = undefined;
    end.isClosed = true;
    if (end.alive()) events?.onClose(reason);
    if (link.there.from.isClosed && link.there.to.isClosed) links.delete(link);
  };

  /** News of the end travels behind what was sent before. */
  const sendEnd = (link: Link, pipe: Pipe, reason: string): void => {
    if (isCut(pipe)) {
      pipe.heldEnd = reason;
      return;
    }
    pipe.readyAtMs = Math.max(pipe.readyAtMs + APART_MS, queue.nowMs + latency());
    queue.schedule(pipe.readyAtMs - queue.nowMs, () => {
      if (!pipe.to.isClosed) tell(link, pipe.to, reason);
    });
  };

  /** One end wants no more: the other one has what was sent before, then hears of it. */
  const close = (link: Link, out: Pipe): void => {
    const end = out.from;
    if (end.isClosed) return;
    end.isClosed = true;
    over(link, "closed");
    queue.schedule(0, () => tell(link, end, "closed by this node"));
    if (link.isOpen) sendEnd(link, out, `closed by [${end.node}]`);
    else out.to.isClosed = true;
  };

  /** The connection is no more: what is on its way is lost, and each end hears of it. */
  const breakLink = (link: Link, reason: string): void => {
    if (link.isBroken) return;
    link.isBroken = true;
    over(link, reason);
    if (!link.isOpen) link.there.to.isClosed = true;
    for (const pipe of [link.there, link.back]) {
      pipe.held = [];
      if (!pipe.to.isClosed) sendEnd(link, pipe, reason);
    }
  };

  const deliver = (link: Link, pipe: Pipe, packet: Packet): void => {
    const { from, to } = pipe;
    pipe.queuedBytes -= packet.bytes.length;
    if (link.isBroken || to.isClosed || !to.alive()) {
      record(to.node, { kind: "message-dropped", ...packet.what, reason: "connection closed" });
      return;
    }
    record(to.node, { kind: "message-delivered", ...packet.what });
    to.events?.onFrame(packet.bytes);
    if (!pipe.isBlocked || pipe.queuedBytes > queueBytes / 2) return;
    pipe.isBlocked = false;
    queue.schedule(latency(), () => {
      if (!from.isClosed && from.alive()) from.events?.onDrain?.();
    });
  };

  const travel = (link: Link, pipe: Pipe, packet: Packet): void => {
    const { isOneWay } = packet;
    if (chance(conditions.lossPerMille)) {
      record(pipe.from.node, { kind: "message-dropped", ...packet.what, reason: "lost" });
      if (!isOneWay) breakLink(link, "connection reset");
      return;
    }
    const arrive = (delayMs: number, what: Packet): void => {
      pipe.queuedBytes += what.bytes.length;
      queue.schedule(delayMs, () => deliver(link, pipe, what));
    };
    const isOvertaken = isOneWay && chance(conditions.reorderPerMille);
    const arrivesAtMs = queue.nowMs + latency() + (isOvertaken ? 4 * conditions.latencyMs.high : 0);
    if (!isOvertaken) pipe.readyAtMs = Math.max(pipe.readyAtMs + APART_MS, arrivesAtMs);
    const delayMs = (isOvertaken ? arrivesAtMs : pipe.readyAtMs) - queue.nowMs;
    arrive(delayMs, packet);
    if (isOneWay && chance(conditions.duplicatePerMille))
      arrive(delayMs + latency(), { ...packet, bytes: packet.bytes.slice() });
  };

  const send = (link: Link, pipe: Pipe, frame: Uint8Array): "accepted" | "full" => {
    assert(frame.length <= maxFrameBytes, `a frame of ${frame.length} bytes is too large`);
    if (link.isBroken || pipe.from.isClosed) return "accepted";
    if (pipe.queuedBytes > 0 && pipe.queuedBytes + frame.length > queueBytes) {
      pipe.isBlocked = true;
      return "full";
    }
    const packet = pack(pipe, frame.slice());
    record(pipe.from.node, { kind: "message-sent", ...packet.what });
    if (!link.isOpen || isCut(pipe)) {
      pipe.queuedBytes += packet.bytes.length;
      pipe.held.push(packet);
    } else travel(link, pipe, packet);
    return "accepted";
  };

  const release = (link: Link): void => {
    for (const pipe of [link.there, link.back]) {
      if (!link.isOpen || isCut(pipe)) continue;
      const { held, heldEnd } = pipe;
      pipe.held = [];
      pipe.heldEnd = undefined;
      for (const packet of held) {
        pipe.queuedBytes -= packet.bytes.length;
        if (!link.isBroken) travel(link, pipe, packet);
      }
      if (heldEnd !== undefined) sendEnd(link, pipe, heldEnd);
    }
  };

  const establish = (link: Link): void => {
    const { from, to } = link.there;
    if (link.isBroken || from.isClosed) return;
    if (isCut(link.there)) {
      // The first packet is repeated until it gets through; whoever waits has a time-out of his own.
      queue.schedule(CONNECT_RETRY_MS, () => establish(link));
      return;
    }
    const listener = listeners.get(to.node);
    if (listener === undefined) {
      breakLink(link, `connection to [${to.node}] refused`);
      return;
    }
    link.isOpen = true;
    record(from.node, {
      kind: "connection-opened",
      from: from.node,
      to: to.node,
      channel: link.channel,
    });
    const openAtMs = queue.nowMs + latency();
    link.back.readyAtMs = openAtMs;
    to.alive = listener.alive;
    to.events = listener.accept(handle(link, link.back, from.node));
    if (!to.isClosed) to.events.onOpen?.();
    queue.schedule(openAtMs - queue.nowMs, () => {
      if (!from.isClosed && from.alive()) from.events?.onOpen?.();
    });
    release(link);
  };

  const handle = (link: Link, out: Pipe, remote: string): Connection => ({
    channel: link.channel,
    remote,
    send: (frame) => send(link, out, frame),
    close: () => close(link, out),
  });

  const linksOf = (node: string): readonly Link[] =>
    [...links].filter(({ there }) => there.from.node === node || there.to.node === node);

  const outOf = (link: Link, node: string): Pipe =>
    link.there.from.node === node ? link.there : link.back;

  const connect = (here: End, address: string, channel: ChannelClass): Connection => {
    const there = newEnd(address, () => true);
    if (!here.alive()) here.isClosed = true;
    const link: Link = {
      channel,
      there: newPipe(here, there),
      back: newPipe(there, here),
      isOpen: false,
      isBroken: false,
      isOver: false,
    };
    links.add(link);
    queue.schedule(latency(), () => establish(link));
    return handle(link, link.there, address);
  };

  return {
    network: (node, alive = () => true) => ({
      listen: async (accept) => {
        if (!alive()) return never();
        if (listeners.has(node)) throw addressTaken(node);
        listeners.set(node, { accept, alive });
        return node;
      },
      connect: (address, channel, events) =>
        connect({ ...newEnd(node, alive), events }, address, channel),
      close: async () => {
        if (!alive()) return;
        listeners.delete(node);
        for (const link of linksOf(node)) close(link, outOf(link, node));
        await new Promise<void>((resolve) => {
          queue.schedule(APART_MS, resolve);
        });
      },
    }),
    setConditions: (next) => {
      // A copy: the same conditions may be set twice.
      const layer = { ...next };
      layers = [...layers, layer];
      conditions = layer;
      return () => {
        layers = layers.filter((other) => other !== layer);
        conditions = layers.at(-1) ?? calmNetwork;
      };
    },
    cut: (inside, outside) => {
      const cut = { inside: new Set(inside), outside: new Set(outside) };
      cuts.add(cut);
      return () => {
        cuts.delete(cut);
        for (const link of [...links]) release(link);
      };
    },
    crash: (node) => {
      listeners.delete(node);
      for (const link of linksOf(node)) {
        const end = outOf(link, node).from;
        end.events = undefined;
        end.isClosed = true;
        breakLink(link, `connection reset by [${node}]`);
        if (link.there.from.isClosed && link.there.to.isClosed) links.delete(link);
      }
    },
  };
}

interface Listener {
  readonly accept: (connection: Connection) => ConnectionEvents;
  readonly alive: () => boolean;
}

interface Cut {
  readonly inside: ReadonlySet<string>;
  readonly outside: ReadonlySet<string>;
}

/** What a node that is gone waits for. */
function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

function isAcross({ inside, outside }: Cut, a: string, b: string): boolean {
  return (inside.has(a) && outside.has(b)) || (inside.has(b) && outside.has(a));
}

function newEnd(node: string, alive: () => boolean): End {
  return { node, alive, events: undefined, isClosed: false };
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

/** Bytes that are no frame travel, too: what to make of them is the receiver's business. */
function pack({ from, to }: Pipe, bytes: Uint8Array): Packet {
  const { action, correlationId, kind } = headerOf(bytes);
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
    },
  };
}

function headerOf(bytes: Uint8Array) {
  try {
    return readFrameLabel(bytes);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { action: "", correlationId: 0, kind: "unreadable" };
  }
}

function addressTaken(node: string): OperationError {
  return new OperationError({
    type: "bind_transport_exception",
    reason: `Failed to bind to [${node}]: the address is in use`,
    status: 500,
  });
}
