/** Step of a report in plain words. Its node and time stand beside it. */
import { shardName } from "../story/words.ts";
import { describeEvent } from "../trace/describe.ts";
import type { MessageEvent } from "../trace/sent-messages.ts";
import type { RecordedEvent } from "../types.ts";

export function wordsOf(event: RecordedEvent): string {
  switch (event.kind) {
    case "node-started":
      return "starts";
    case "node-stopped":
      return "stops";
    case "node-crashed":
      return "goes down";
    case "cluster-manager-elected":
      return `is elected cluster manager, term ${event.term}`;
    case "cluster-manager-stepped-down":
      return `steps down, term ${event.term}`;
    case "cluster-state-published":
      return `publishes cluster state version ${event.version}, term ${event.term}`;
    case "cluster-state-applied":
      return `applies cluster state version ${event.version}`;
    case "log-entry-saved":
      return `has log entry ${event.index} of term ${event.term} durably`;
    case "log-entry-applied":
      return `applies log entry ${event.index} of term ${event.term}`;
    case "shard-copies-changed": {
      const { index, shard, primary, primaryTerm, active } = event;
      const count = active === "" ? 0 : active.split(",").length;
      const held = primary === "" ? "no primary" : `primary is ${primary}`;
      return `sees ${shardName(index, shard)}: ${held}, primary term ${primaryTerm}, ${count} active`;
    }
    case "shard-state-changed": {
      const { index, shard, state, reason } = event;
      return `copy of ${shardName(index, shard)} is ${state}${reason === undefined ? "" : `: ${reason}`}`;
    }
    case "shard-recovered":
      return `copy of ${shardName(event.index, event.shard)} has recovered (${event.mode})`;
    case "copy-let-in":
      return `lets ${event.allocationId} of ${shardName(event.index, event.shard)} into the in-sync set, checkpoint ${event.localCheckpoint} of ${event.globalCheckpoint}`;
    case "fault-started":
      return `fault ${event.fault} begins: ${event.description}`;
    case "fault-ended":
      return `fault ${event.fault} ends: ${event.description}`;
    case "fault-receipt":
      return `fault ${event.fault} changed ${event.hits} events`;
    case "client-request":
      return `${event.client} asks (#${event.id}) ${event.operation}`;
    case "client-response":
      return `${event.client} is answered (#${event.id}) ${event.status} ${event.outcome}`;
    case "message-sent":
    case "message-delivered":
    case "message-dropped":
      return messageWords(event);
    default:
      return `${event.kind.replaceAll("-", " ")}: ${describeEvent(event)}`;
  }
}

function messageWords(event: MessageEvent): string {
  const { from, to, action, frameKind } = event;
  const what = `${from} → ${to} ${action} ${frameKind}`;
  if (event.kind === "message-dropped") return `${what} lost: ${event.reason}`;
  return `${what} ${event.kind === "message-sent" ? "sent" : "arrives"}`;
}
