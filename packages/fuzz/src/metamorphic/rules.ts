/**
 * Rules: permitted differences between two correct answers to the same request, with their reasons. All else must be
 * equal.
 *
 * A rule names the member that it permits, as a wider one would hide bugs.
 */
import { lookup } from "@orrery/stdx";

export interface Rule {
  /** End of the path of a value, with slashes; `*` is any name. */
  readonly at: string;
  readonly why: string;
  /** The rule applies only if the object has no such member. */
  readonly unless?: string;
  /** The rule applies only to values whose text contains this. */
  readonly with?: string;
}

/** Paths at which the values of two answers may differ. The values must exist in both or in neither. */
export const rules: readonly Rule[] = [
  { at: "took", why: "time" },
  { at: "creation_date", why: "time" },
  { at: "creation_date_string", why: "time" },
  { at: "index.creation_date", why: "time" },
  { at: "creation_time", why: "time" },
  { at: "start_time", why: "time" },
  { at: "start_time_in_millis", why: "time" },
  { at: "end_time", why: "time" },
  { at: "end_time_in_millis", why: "time" },
  { at: "duration_in_millis", why: "time" },
  { at: "time_in_millis", why: "time" },
  { at: "uuid", why: "drawn by the cluster" },
  { at: "index_uuid", why: "drawn by the cluster" },
  { at: "pit_id", why: "holds ids of nodes" },
  { at: "_scroll_id", why: "holds ids of nodes" },
  { at: "data_streams/*/status", why: "health: one node has no place for replicas" },
  { at: "num_freed", why: "with `_all`, nodes are counted" },
  { at: "node", why: "placement" },
  {
    at: "root_cause",
    with: "No search context found",
    why: "causes that look alike are told once, and each node counts its contexts",
  },
  {
    at: "failed_shards",
    with: "No search context found",
    why: "failures that look alike are told once, and each node counts its contexts",
  },
  {
    at: "_shards/successful",
    unless: "skipped",
    why: "of a write or a broadcast: a replica that has no node yet is not reached",
  },
  {
    at: "_shards/total",
    unless: "skipped",
    why: "of a write or a broadcast: a copy that moves counts twice",
  },
];

/** Parts of texts, such as reasons, that may differ. */
const tokens: readonly (readonly [RegExp, string])[] = [
  // Ids of nodes, indices, allocations: 22 characters of base64, the last with four possible values.
  [/(?<![\w-])(?=[a-z0-9_-]*[A-Z])[\w-]{21}[AQgw](?![\w-])/g, "<uuid>"],
  [/\b(?:127\.0\.0\.1|node-\d+):\d+\b/g, "<address>"],
  [/\bnode-\d+\b/g, "<node>"],
  // Current times in columns of `_cat`.
  [/\b1[789]\d{8} \d\d:\d\d:\d\d\b/g, "<now>"],
  [/(?<=document with id ')[\w-]{20}(?=')/g, "<automatic id>"],
  [/(?<=context found for id \[)\d+/g, "<number>"],
];

/** Generated document ids: 20 characters, ordered by time. */
const AUTOMATIC_ID = /^[\w-]{20}$/;

export function plainText(text: string): string {
  let plain = text;
  for (const [token, as] of tokens) plain = plain.replaceAll(token, as);
  return plain;
}

function isAutomatic(value: unknown): boolean {
  return typeof value === "string" && AUTOMATIC_ID.test(value);
}

interface Held {
  readonly value: unknown;
  readonly holder: { readonly [name: string]: unknown };
  /** Ends of paths, with slashes and `*`, that the request declares to differ between runs. */
  readonly loose: readonly string[];
}

/** Text that replaces a value which may differ; `undefined` for a value that must be equal. */
export function maskOf(way: readonly string[], { value, holder, loose }: Held): string | undefined {
  const name = way.at(-1);
  if (name === "_id" && isAutomatic(value)) return "<automatic id>";
  // A different generated id may be routed to a different shard.
  if (name === "_seq_no" && isAutomatic(lookup(holder, "_id"))) return "<placement>";
  const rule = rules.find(
    ({ at, unless, with: text }) =>
      (unless === undefined || !Object.hasOwn(holder, unless)) &&
      (text === undefined || JSON.stringify(value).includes(text)) &&
      endsWith(way, at),
  );
  if (rule === undefined && loose.some((at) => endsWith(way, at))) return "<volatile>";
  return rule && `<${rule.why}>`;
}

function endsWith(way: readonly string[], at: string): boolean {
  const names = at.split("/");
  const tail = way.slice(-names.length);
  return tail.length === names.length && names.every((name, i) => name === "*" || tail[i] === name);
}
