/**
 * Transmission of frames and close notifications along one link.
 *
 * Frames sent before a close arrive before it. A cut link holds back both. Losing a frame of a request or response
 * breaks the link. A dead link passes neither frames nor close notifications.
 */
import { maxFrameBytes, type TraceEvent } from "@orrery/ports";
import { assert, shortCopy } from "@orrery/stdx";
import type { Conditions } from "./conditions.ts";
import type { EventQueue } from "./event-queue.ts";
import { refusalOf } from "./refusal.ts";
import { pack, type End, type Link, type Packet, type Pipe } from "./link.ts";

export interface WireOptions {
  readonly queue: EventQueue;
  readonly conditions: Conditions;
  readonly record: (node: string, event: TraceEvent) => void;
  /** Bound of queued bytes in one direction of a connection, beyond which `send` returns `full`. */
  readonly queueBytes: number;
  /** Called when both ends have closed the link. */
  readonly forget: (link: Link) => void;
}

export interface Wire {
  send(link: Link, pipe: Pipe, frame: Uint8Array): "accepted" | "full";
  /** Closes one end: the other end receives the frames sent before, then `onClose`. */
  close(link: Link, out: Pipe): void;
  /** Breaks the connection: frames in flight are lost, and each end receives `onClose`. */
  break(link: Link, reason: string): void;
  /** Sends what the rules no longer hold back, and notifies the ends that wait on a dead link. */
  release(link: Link): void;
}

/** Minimum interval between two frames of a pipe: events of the same time would be shuffled. */
export const APART_MS = 0.001;

export function createWire({ queue, conditions, record, queueBytes, forget }: WireOptions): Wire {
  const isCut = ({ from, to }: Pipe): boolean => conditions.isCut(from.node, to.node);
  const news = createNews({ queue, conditions, record, forget, isCut });

  const deliver = (link: Link, pipe: Pipe, packet: Packet): void => {
    const { from, to } = pipe;
    pipe.queuedBytes -= packet.bytes.length;
    if (link.isBroken || to.isClosed || !to.alive()) {
      record(to.node, { ...event("message-dropped", packet), reason: "connection closed" });
      return;
    }
    record(to.node, event("message-delivered", packet));
    to.events?.onFrame(packet.bytes);
    if (!pipe.isBlocked || pipe.queuedBytes > queueBytes / 2) return;
    pipe.isBlocked = false;
    queue.schedule(conditions.latencyMs(to.node, from.node), () => {
      if (!from.isClosed && from.alive()) from.events?.onDrain?.();
    });
  };

  const arrive = (link: Link, pipe: Pipe, packet: Packet, delayMs: number): void => {
    pipe.queuedBytes += packet.bytes.length;
    queue.schedule(delayMs, () => deliver(link, pipe, packet));
  };

  /** Applies the rules that stop a frame; true if it does not travel further. */
  const meetsMishap = (link: Link, pipe: Pipe, packet: Packet): boolean => {
    const [from, to] = [pipe.from.node, pipe.to.node];
    const { action, frameKind } = packet.what;
    const drop = (reason: string): void =>
      record(from, { ...event("message-dropped", packet), reason });
    if (conditions.meets("drop", from, to, action)) {
      drop("dropped");
      return true;
    }
    if (frameKind === "request" && conditions.meets("reject", from, to, action)) {
      drop("rejected");
      const back = pipe === link.there ? link.back : link.there;
      arrive(link, back, pack(back, refusalOf(packet.bytes)), 2 * conditions.calmHighMs);
      return true;
    }
    if (conditions.happens("half-open", from, to)) {
      drop("half-open");
      link.isDead = true;
      pipe.queuedBytes += packet.bytes.length;
      return true;
    }
    if (conditions.happens("half-reset", from, to)) {
      drop("reset");
      link.isDead = true;
      news.refuse(link, pipe);
      return true;
    }
    const isReset = conditions.happens("reset", from, to);
    if (!isReset && !conditions.happens("lose", from, to)) return false;
    drop(isReset ? "reset" : "lost");
    if (isReset || !packet.isOneWay) news.break(link, "connection reset");
    return true;
  };

  const travel = (link: Link, pipe: Pipe, packet: Packet): void => {
    const { isOneWay } = packet;
    const [from, to] = [pipe.from.node, pipe.to.node];
    if (meetsMishap(link, pipe, packet)) return;
    const delayMs = delayOf({ queue, conditions }, pipe, packet);
    arrive(link, pipe, packet, delayMs);
    if (!isOneWay || !conditions.happens("duplicate", from, to)) return;
    const again = { ...packet, bytes: shortCopy(packet.bytes) };
    arrive(link, pipe, again, delayMs + conditions.latencyMs(from, to));
  };

  const letGo = (link: Link, pipe: Pipe): void => {
    const { held, heldEnd } = pipe;
    pipe.held = [];
    pipe.heldEnd = undefined;
    for (const packet of held) {
      pipe.queuedBytes -= packet.bytes.length;
      if (!link.isBroken) travel(link, pipe, packet);
    }
    if (heldEnd !== undefined) news.send(link, pipe, heldEnd);
  };

  return {
    close: news.close,
    break: news.break,
    send: (link, pipe, frame) => {
      assert(frame.length <= maxFrameBytes, `a frame of ${frame.length} bytes is too large`);
      if (pipe.from.isClosed || (link.isBroken && !link.isDead)) return "accepted";
      if (pipe.queuedBytes > 0 && pipe.queuedBytes + frame.length > queueBytes) {
        pipe.isBlocked = true;
        return "full";
      }
      const packet = pack(pipe, shortCopy(frame));
      record(pipe.from.node, event("message-sent", packet));
      if (link.isDead) {
        record(pipe.from.node, { ...event("message-dropped", packet), reason: "half-open" });
        pipe.queuedBytes += packet.bytes.length;
        if (!conditions.isSilent(pipe.from.node, pipe.to.node)) news.refuse(link, pipe);
      } else if (!link.isOpen || isCut(pipe)) {
        pipe.queuedBytes += packet.bytes.length;
        pipe.held.push(packet);
      } else travel(link, pipe, packet);
      return "accepted";
    },
    release: (link) => {
      for (const pipe of [link.there, link.back]) {
        if (link.isDead) {
          if (isHeardOf(conditions, pipe)) news.refuse(link, pipe);
        } else if (link.isOpen && !isCut(pipe)) letGo(link, pipe);
      }
    },
  };
}

/** Delay until a frame arrives; frames keep the order of their pipe except for one that is reordered. */
function delayOf(
  { queue, conditions }: Pick<WireOptions, "queue" | "conditions">,
  pipe: Pipe,
  { isOneWay, bytes }: Packet,
): number {
  const [from, to] = [pipe.from.node, pipe.to.node];
  const isOvertaken = isOneWay && conditions.happens("reorder", from, to);
  const busyMs = conditions.busyMs(from, to, bytes.length);
  const latencyMs = conditions.latencyMs(from, to);
  const overtakenMs = isOvertaken ? 4 * Math.max(latencyMs, conditions.calmHighMs) : 0;
  const arrivesAtMs = queue.nowMs + latencyMs + busyMs + overtakenMs;
  if (isOvertaken) return arrivesAtMs - queue.nowMs;
  pipe.readyAtMs = Math.max(pipe.readyAtMs + APART_MS + busyMs, arrivesAtMs);
  return pipe.readyAtMs - queue.nowMs;
}

/** True if this end has sent into a dead link and no rule suppresses the response. */
function isHeardOf(conditions: Conditions, { from, to, queuedBytes }: Pipe): boolean {
  return queuedBytes > 0 && !from.isClosed && !conditions.isSilent(from.node, to.node);
}

/** Event of a frame. The fields are listed one by one, without a spread, because this runs twice for each frame. */
function event<Kind extends "message-sent" | "message-delivered" | "message-dropped">(
  kind: Kind,
  { what }: Packet,
) {
  const { from, to, action, correlationId, frameKind, sizeBytes, shard } = what;
  if (shard === undefined)
    return { kind, from, to, action, correlationId, frameKind, sizeBytes } as const;
  return { kind, from, to, action, correlationId, frameKind, sizeBytes, shard } as const;
}

type NewsOptions = Omit<WireOptions, "queueBytes"> & { readonly isCut: (pipe: Pipe) => boolean };

/** Close notifications of links. */
function createNews({ queue, conditions, record, forget, isCut }: NewsOptions) {
  const latencyOf = ({ from, to }: Pipe): number => conditions.latencyMs(from.node, to.node);

  const note = (link: Link, reason: string): void => {
    if (link.isOver) return;
    link.isOver = true;
    const { from, to } = link.there;
    record(from.node, { kind: "connection-closed", from: from.node, to: to.node, reason });
  };

  /** Calls `onClose` of an end, once. */
  const tell = (link: Link, end: End, reason: string): void => {
    const { events } = end;
    end.events = undefined;
    end.isClosed = true;
    if (end.alive()) events?.onClose(reason);
    if (link.there.from.isClosed && link.there.to.isClosed) forget(link);
  };

  /** Sends a close notification behind the frames in flight. */
  const send = (link: Link, pipe: Pipe, reason: string): void => {
    if (link.isDead) return;
    if (isCut(pipe)) {
      pipe.heldEnd = reason;
      return;
    }
    pipe.readyAtMs = Math.max(pipe.readyAtMs + APART_MS, queue.nowMs + latencyOf(pipe));
    queue.schedule(pipe.readyAtMs - queue.nowMs, () => {
      if (!pipe.to.isClosed) tell(link, pipe.to, reason);
    });
  };

  return {
    send,
    /** Notifies the end that has sent into a dead link, as a TCP reset does. */
    refuse: (link: Link, pipe: Pipe): void => {
      note(link, "connection reset");
      queue.schedule(2 * latencyOf(pipe), () => {
        if (!pipe.from.isClosed) tell(link, pipe.from, "connection reset");
      });
    },
    close: (link: Link, out: Pipe): void => {
      const end = out.from;
      if (end.isClosed) return;
      end.isClosed = true;
      note(link, "closed");
      queue.schedule(0, () => tell(link, end, "closed by this node"));
      if (link.isOpen) send(link, out, `closed by [${end.node}]`);
      else out.to.isClosed = true;
    },
    break: (link: Link, reason: string): void => {
      if (link.isBroken) return;
      link.isBroken = true;
      note(link, reason);
      if (!link.isOpen) link.there.to.isClosed = true;
      for (const pipe of [link.there, link.back]) {
        pipe.held = [];
        if (!pipe.to.isClosed) send(link, pipe, reason);
      }
    },
  };
}
