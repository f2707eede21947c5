/**
 * Columns of an event that filters query, besides its time, node and kind: action, sender, receiver,
 * index and shard.
 */
import { lookup } from "@orrery/stdx";
import { isMessage, type MessageEvent } from "./trace/sent-messages.ts";
import type { RecordedEvent } from "./types.ts";

/** Values of an event's filter columns; `null` if the event has none. */
export interface Columns {
  readonly action: string | null;
  readonly sender: string | null;
  readonly receiver: string | null;
  readonly index: string | null;
  readonly shard: number | null;
}

export interface EventColumns {
  of(event: RecordedEvent): Columns;
  /** Maps an index uuid, which messages carry, to its index name. */
  name(uuid: string, index: string): void;
}

export function createColumns(): EventColumns {
  const indices = new Map<string, string>();
  /** Shard of each request in flight, by correlation: a response does not repeat it. */
  const asked = new Map<string, string>();
  return {
    name: (uuid, index) => void indices.set(uuid, index),
    of: (event) => {
      const fields = event as Readonly<Record<string, unknown>>;
      const text = (key: string): string | null => {
        const value = lookup(fields, key);
        return typeof value === "string" ? value : null;
      };
      const columns = {
        action: text("action") ?? text("operation") ?? text("fault"),
        sender: text("from"),
        receiver: text("to"),
      };
      const shard = isMessage(event) ? shardOf(event, asked) : fields["shard"];
      if (typeof shard === "number") return { ...columns, index: text("index"), shard };
      if (typeof shard !== "string") return { ...columns, index: text("index"), shard: null };
      const [uuid = "", number] = shard.split("/");
      return { ...columns, index: indices.get(uuid) ?? uuid, shard: Number(number) };
    },
  };
}

function shardOf(event: MessageEvent, asked: Map<string, string>): string | undefined {
  const { from, to, action, correlationId, shard, frameKind, kind } = event;
  if (correlationId === 0) return shard;
  if (shard !== undefined) {
    asked.set([from, to, action, correlationId].join("|"), shard);
    return shard;
  }
  const key = [to, from, action, correlationId].join("|");
  const said = asked.get(key);
  const isLast = frameKind === "response" || frameKind === "error";
  if (isLast && kind === "message-delivered") asked.delete(key);
  return said;
}
