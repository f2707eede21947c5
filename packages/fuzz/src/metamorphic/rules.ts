/**
 * Differences that two right answers to the same request may have, one row each, and why. All else must be equal.
 *
 * A rule that hides more than placement hides bugs: it names the member it is about.
 */

export interface Rule {
  /** Names at the end of the way to a value. */
  readonly at: string;
  readonly why: string;
  /** Only where the object that holds the value does not have this member. */
  readonly unless?: string;
}

/** Their values are not compared, that they are there is. */
export const rules: readonly Rule[] = [
  { at: "took", why: "time" },
  { at: "creation_date", why: "time" },
  { at: "uuid", why: "drawn by the cluster" },
  { at: "index_uuid", why: "drawn by the cluster" },
  { at: "node", why: "placement" },
  {
    at: "_shards.successful",
    unless: "skipped",
    why: "of a write or a broadcast: a replica that has no node yet is not reached",
  },
  {
    at: "_shards.total",
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
];

/** Ids that the node made which was asked: 20 characters, in the order of time. */
const AUTOMATIC_ID = /^[\w-]{20}$/;

export function plainText(text: string): string {
  let plain = text;
  for (const [token, as] of tokens) plain = plain.replaceAll(token, as);
  return plain;
}

/** A text in the place of a value that may differ; `undefined` for a value that must be equal. */
export function maskOf(
  way: readonly string[],
  { value, holder }: { readonly value: unknown; readonly holder: object },
): string | undefined {
  if (way.at(-1) === "_id" && typeof value === "string" && AUTOMATIC_ID.test(value))
    return "<automatic id>";
  const rule = rules.find(
    ({ at, unless }) =>
      (unless === undefined || !Object.hasOwn(holder, unless)) && endsWith(way, at),
  );
  return rule && `<${rule.why}>`;
}

function endsWith(way: readonly string[], at: string): boolean {
  const names = at.split(".");
  const tail = way.slice(-names.length);
  return tail.length === names.length && names.every((name, i) => tail[i] === name);
}
