/**
 * Differences that two right answers to the same request may have, one row each, and why. All else must be equal.
 *
 * A rule that hides more than placement hides bugs: it names the member it is about.
 */
import { lookup } from "@orrery/stdx";

export interface Rule {
  /** Names at the end of the way to a value, with slashes between them; `*` is any. */
  readonly at: string;
  readonly why: string;
  /** Only where the object that holds the value does not have this member. */
  readonly unless?: string;
  /** Only values that, printed, have this in them. */
  readonly with?: string;
}

/** Their values are not compared, that they are there is. */
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

/** In texts, such as reasons. */
const tokens: readonly (readonly [RegExp, string])[] = [
  // Ids of nodes, indices, allocations: 22 characters of base64, of which the last has four values.
  [/(?<![\w-])(?=[a-z0-9_-]*[A-Z])[\w-]{21}[AQgw](?![\w-])/g, "<uuid>"],
  [/\b(?:127\.0\.0\.1|node-\d+):\d+\b/g, "<address>"],
  [/\bnode-\d+\b/g, "<node>"],
  // Columns of `_cat` about now.
  [/\b1[789]\d{8} \d\d:\d\d:\d\d\b/g, "<now>"],
  [/(?<=document with id ')[\w-]{20}(?=')/g, "<automatic id>"],
  [/(?<=context found for id \[)\d+/g, "<number>"],
];

/** Ids that the node made which was asked: 20 characters, in the order of time. */
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
  /** Ends of paths, with slashes and `*`, that the request itself names as different from run to run. */
  readonly loose: readonly string[];
}

/** A text in the place of a value that may differ; `undefined` for a value that must be equal. */
export function maskOf(way: readonly string[], { value, holder, loose }: Held): string | undefined {
  const name = way.at(-1);
  if (name === "_id" && isAutomatic(value)) return "<automatic id>";
  // Another id may lead to another shard.
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
