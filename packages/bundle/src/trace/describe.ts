/** Description of an event in words, without its time and node. */
import type { RecordedEvent } from "../types.ts";

export function describeEvent(event: RecordedEvent): string {
  switch (event.kind) {
    case "message-sent":
    case "message-delivered":
      return `${event.from} → ${event.to}  ${whatOf(event)}`;
    case "message-dropped":
      return `${event.from} → ${event.to}  ${whatOf(event)}: ${event.reason}`;
    case "connection-opened":
      return `${event.from} → ${event.to}  ${event.channel}`;
    case "connection-closed":
      return `${event.from} → ${event.to}  ${event.reason}`;
    case "client-request":
      return `${event.client} #${event.id}  ${event.operation}`;
    case "client-response":
      return `${event.client} #${event.id}  ${event.status} ${event.outcome}`;
    case "fault-started":
    case "fault-ended":
      return `${event.fault} ${event.description}`;
    case "log":
      return `${event.level}: ${event.message}`;
    default:
      return restOf(event);
  }
}

interface Message {
  readonly action: string;
  readonly frameKind: string;
  readonly correlationId: number;
  readonly sizeBytes: number;
}

function whatOf({ action, frameKind, correlationId, sizeBytes }: Message): string {
  const number = correlationId === 0 ? "" : ` #${correlationId}`;
  return `${action} ${frameKind}${number}, ${sizeBytes} B`;
}

/** Remaining fields, which the description does not contain. */
function restOf(event: RecordedEvent): string {
  const fields = Object.entries(event).filter(([key]) => !["at_ms", "node", "kind"].includes(key));
  return fields
    .map(
      ([key, value]) =>
        `${key}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`,
    )
    .join(" ");
}
