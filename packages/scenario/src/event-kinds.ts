/**
 * Event kinds of the trace and their fields, as conditions name them, checked against the vocabulary of
 * `@orrery/ports`.
 */
import { lookup } from "@orrery/stdx";
import type { TraceEvent } from "@orrery/ports";
import type { Json, JsonObject } from "@orrery/stdx";
import { checkKeys, readName, refuse, requireField, type Field } from "./fields.ts";
import { fieldsOf, scalar, type Context } from "./shape.ts";

type Kind = TraceEvent["kind"];
type EventOf<K extends Kind> = Extract<TraceEvent, { readonly kind: K }>;
type FieldType<T> = [T] extends [number] ? "number" : [T] extends [boolean] ? "flag" : "text";
type FieldTypes<T> = {
  readonly [Name in Exclude<keyof T, "kind" | "node">]-?: FieldType<Exclude<T[Name], undefined>>;
};

const text = "text";
const number = "number";

const message = {
  from: text,
  to: text,
  action: text,
  correlationId: number,
  frameKind: text,
  sizeBytes: number,
  shard: text,
} as const;
const connection = { from: text, to: text } as const;
const term = { nodeId: text, term: number } as const;
const logEntry = { ...term, index: number, digest: number } as const;
const copy = { nodeId: text, index: text, shard: number, allocationId: text } as const;
const fault = { fault: text, description: text } as const;

/** Fields of each kind. A kind without its row, or with other fields than the vocabulary has, does not compile. */
export const eventKinds: { readonly [K in Kind]: FieldTypes<EventOf<K>> } = {
  "node-started": {},
  "node-stopped": {},
  "node-crashed": {},
  "message-sent": message,
  "message-delivered": message,
  "message-dropped": { ...message, reason: text },
  "connection-opened": { ...connection, channel: text },
  "connection-closed": { ...connection, reason: text },
  "cluster-manager-elected": term,
  "cluster-manager-stepped-down": term,
  "cluster-state-published": { ...term, version: number },
  "cluster-state-applied": { ...term, version: number, stateUuid: text, isMember: "flag" },
  "log-entry-saved": { ...logEntry, previousTerm: number },
  "log-entry-applied": { ...logEntry, voters: number },
  "log-entry-quarantined": { nodeId: text, index: number, term: number, reason: text },
  "shard-copies-changed": {
    nodeId: text,
    version: number,
    index: text,
    indexUuid: text,
    shard: number,
    primaryTerm: number,
    primary: text,
    isRelocated: "flag",
    recoverySource: text,
    active: text,
    inSync: text,
    isImported: "flag",
  },
  "copy-let-in": { ...copy, localCheckpoint: number, globalCheckpoint: number },
  "copies-resynced": { ...copy, primaryTerm: number },
  "history-trimmed": { ...copy, retainedFrom: number, leasedFrom: number },
  "shard-state-changed": { ...copy, state: text, reason: text },
  "shard-recovered": { nodeId: text, index: text, shard: number, mode: text },
  "decommission-status-changed": {
    nodeId: text,
    attribute: text,
    value: text,
    status: text,
    requestId: text,
  },
  "dangling-index-imported": { nodeId: text, index: text, indexUuid: text },
  "retention-lease-changed": {
    nodeId: text,
    index: text,
    shard: number,
    lease: text,
    change: text,
    retainingSeqNo: number,
    historyFromSeqNo: number,
  },
  "remote-replication-changed": { nodeId: text, index: text, state: text, reason: text },
  "remote-replication-checkpoint": {
    nodeId: text,
    index: text,
    shard: number,
    remoteCluster: text,
    remoteIndex: text,
    checkpoint: number,
    remoteCheckpoint: number,
  },
  "timer-fired": { delayMs: number },
  "disk-synced": { path: text },
  "disk-failed": { path: text, reason: text },
  "blob-failed": { path: text, reason: text },
  "snapshot-state-changed": {
    operation: text,
    repository: text,
    snapshot: text,
    uuid: text,
    index: text,
    shard: number,
    state: text,
    reason: text,
  },
  "client-request": { client: text, id: number, operation: text },
  "client-response": { client: text, id: number, status: number, outcome: text },
  "fault-started": fault,
  "fault-ended": fault,
  "fault-receipt": { ...fault, hits: number },
  "step-started": { step: text },
  "step-ended": { step: text, outcome: text },
  log: { level: text, message: text },
};

export const eventKindNames: readonly Kind[] = Object.keys(eventKinds) as Kind[];

/** Fields of every event. */
const common: Readonly<Record<string, string>> = { node: text };

function fieldTypes(kind: Kind): Readonly<Record<string, string>> {
  return { ...common, ...eventKinds[kind] };
}

/** Pattern of an event: its kind, and values of fields of this kind. */
export function readEvent(
  field: Field,
  what: string,
  context: Context,
): Readonly<Record<string, string | number>> {
  const fields = fieldsOf(field, what);
  const kind = readName(requireField(fields, "kind"), "kind of event", eventKindNames);
  const types = fieldTypes(kind);
  checkKeys(fields, ["kind", ...Object.keys(types)]);
  const entries = [...fields.values].map(([name, value]): [string, string | number] => {
    if (lookup(types, name) !== number) return [name, scalar.read(value, name, context)];
    if (typeof value.value === "number") return [name, value.value];
    throw refuse(value.place, `[${name}] of [${kind}] must be a number`);
  });
  return Object.fromEntries(entries);
}

export function eventSchema(): JsonObject {
  const schemaTypes: Readonly<Record<string, Json>> = {
    text: { type: ["string", "number", "boolean"] },
    number: { type: "number" },
    flag: { type: ["boolean", "string"] },
  };
  const each = eventKindNames.map((kind): Json => {
    const types = Object.entries(fieldTypes(kind));
    return {
      type: "object",
      properties: {
        kind: { const: kind },
        ...Object.fromEntries(types.map(([name, type]) => [name, lookup(schemaTypes, type)])),
      },
      required: ["kind"],
      additionalProperties: false,
    };
  });
  return { anyOf: each };
}

/** Rows for the reference: each kind with its fields. */
export function eventRows(): readonly { readonly kind: string; readonly fields: string }[] {
  return eventKindNames.map((kind) => ({
    kind,
    fields: Object.keys(eventKinds[kind])
      .map((name) => `\`${name}\``)
      .join(", "),
  }));
}
