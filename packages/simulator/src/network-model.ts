/**
 * Simulated network: connections between named nodes; each frame is delayed by a drawn latency and keeps the order
 * within its connection, as with TCP.
 *
 * A cut link holds back frames, as a retransmitting sender does, and close notifications with them. The loss of a frame
 * breaks its connection. Only one-way frames may be lost alone, duplicated or reordered: frames of requests and
 * responses form one stream. A dead (half-open) link drops everything, and each end learns of it when it sends, once
 * the other host responds.
 */
import type {
  ChannelClass,
  Connection,
  ConnectionEvents,
  Network,
  NetworkRule,
  TraceEvent,
} from "@orrery/ports";
import { OperationError, type Random } from "@orrery/stdx";
import { createConditions, type AppliedNetworkRule } from "./conditions.ts";
import type { EventQueue } from "./event-queue.ts";
import { newEnd, newLink, outOf, type End, type Link, type Pipe } from "./link.ts";
import { APART_MS, createWire } from "./wire.ts";

export interface NetworkModel {
  /** Network port of one incarnation of a node; no event reaches it once `alive` returns false. */
  network(node: string, alive?: () => boolean): Network;
  /** Applies the rule to frames until its `end` is called. */
  applyRule(rule: NetworkRule): AppliedNetworkRule;
  /** Ends a node: its connections break without a close notification from its side. */
  crash(node: string): void;
}

export interface NetworkModelOptions {
  readonly queue: EventQueue;
  readonly random: Random;
  readonly record: (node: string, event: TraceEvent) => void;
  /** Bound of queued bytes in one direction of a connection, beyond which `send` returns `full`. */
  readonly queueBytes?: number;
}

/** Bound of the real transports. */
const QUEUE_BYTES = 32 * 1024 * 1024;

const CONNECT_RETRY_MS = 1000;

interface Listener {
  readonly accept: (connection: Connection) => ConnectionEvents;
  readonly alive: () => boolean;
}

export function createNetworkModel(options: NetworkModelOptions): NetworkModel {
  const { queue, random, record, queueBytes = QUEUE_BYTES } = options;
  const listeners = new Map<string, Listener>();
  const links = new Set<Link>();
  const conditions = createConditions(random);
  const forget = (link: Link): void => void links.delete(link);
  const wire = createWire({ queue, conditions, record, queueBytes, forget });

  const handle = (link: Link, out: Pipe, remote: string): Connection => ({
    channel: link.channel,
    remote,
    send: (frame) => wire.send(link, out, frame),
    close: () => wire.close(link, out),
  });

  const establish = (link: Link): void => {
    const { from, to } = link.there;
    if (link.isBroken || from.isClosed) return;
    if (conditions.isCut(from.node, to.node)) {
      // The connection request is repeated until it gets through; the caller has a time-out of its own.
      queue.schedule(CONNECT_RETRY_MS, () => establish(link));
      return;
    }
    const listener = listeners.get(to.node);
    if (listener === undefined) wire.break(link, `connection to [${to.node}] refused`);
    else accept(link, listener);
  };

  const accept = (link: Link, listener: Listener): void => {
    const { channel, back } = link;
    const { from, to } = link.there;
    link.isOpen = true;
    record(from.node, { kind: "connection-opened", from: from.node, to: to.node, channel });
    const openAtMs = queue.nowMs + conditions.latencyMs(to.node, from.node);
    back.readyAtMs = openAtMs;
    to.alive = listener.alive;
    to.events = listener.accept(handle(link, back, from.node));
    if (!to.isClosed) to.events.onOpen?.();
    queue.schedule(openAtMs - queue.nowMs, () => {
      if (!from.isClosed && from.alive()) from.events?.onOpen?.();
    });
    wire.release(link);
  };

  const connect = (near: End, address: string, channel: ChannelClass): Connection => {
    const link = newLink(
      channel,
      near,
      newEnd(address, () => true),
    );
    if (!near.alive()) near.isClosed = true;
    links.add(link);
    queue.schedule(conditions.latencyMs(near.node, address), () => establish(link));
    return handle(link, link.there, address);
  };

  const linksOf = (node: string): readonly Link[] =>
    [...links].filter(({ there }) => there.from.node === node || there.to.node === node);

  const network = (node: string, alive: () => boolean = () => true): Network => ({
    listen: async (onConnection) => {
      if (!alive()) return never();
      if (listeners.has(node)) throw addressTaken(node);
      listeners.set(node, { accept: onConnection, alive });
      return node;
    },
    connect: (address, channel, events) =>
      connect({ ...newEnd(node, alive), events }, address, channel),
    close: async () => {
      if (!alive()) return;
      listeners.delete(node);
      for (const link of linksOf(node)) wire.close(link, outOf(link, node));
      await new Promise<void>((resolve) => {
        queue.schedule(APART_MS, resolve);
      });
    },
  });

  return {
    network,
    applyRule: (rule) => {
      const applied = conditions.applyRule(rule);
      return {
        hits: applied.hits,
        end: () => {
          applied.end();
          if (rule.kind === "cut" || rule.kind === "half-open")
            for (const link of [...links]) wire.release(link);
        },
      };
    },
    crash: (node) => {
      listeners.delete(node);
      for (const link of linksOf(node)) {
        const end = outOf(link, node).from;
        end.events = undefined;
        end.isClosed = true;
        wire.break(link, `connection reset by [${node}]`);
        if (link.there.from.isClosed && link.there.to.isClosed) forget(link);
      }
    },
  };
}

/** Promise of a node that has ended: it never settles. */
function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

function addressTaken(node: string): OperationError {
  return new OperationError({
    type: "bind_transport_exception",
    reason: `Failed to bind to [${node}]: the address is in use`,
    status: 500,
  });
}
