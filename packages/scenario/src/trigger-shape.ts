/** Shape of a trigger: `from` or `at`, `within`, `every`, `when`, or after the previous entry. */
import type { JsonObject, Json } from "@orrery/stdx";
import { eventSchema, readEvent } from "./event-kinds.ts";
import { readName, refuse, type Fields } from "./fields.ts";
import type { Condition, Trigger } from "./plan.ts";
import {
  duration,
  integer,
  fieldsOf,
  json,
  listOf,
  mapOf,
  may,
  object,
  oneOf,
  or,
  requestLine,
  text,
  defined,
  type Context,
  type Defined,
  type Keys,
} from "./shape.ts";

export const event: Defined<Readonly<Record<string, string | number>>> = defined("event", {
  read: readEvent,
  write: (value) => value,
  schema: eventSchema(),
  says: "text or number by name",
});

export const conditionKeys: Keys<Condition> = {
  cluster: may(text, "name of the cluster; default: the first"),
  health: may(
    oneOf("health", () => ["green", "yellow", "red"] as const),
    "health of its indices",
  ),
  nodes: may(integer(0, 1000), "number of nodes in it"),
  index: may(text, "only copies of this index"),
  shard: may(
    oneOf("state", () => ["UNASSIGNED", "INITIALIZING", "STARTED", "RELOCATING"] as const),
    "state of some copy",
  ),
  event: may(event, "fields of an event of the trace; texts may end in *"),
  count: or(integer(1, 1_000_000), 1, "ordinal of the matching event"),
  request: may(requestLine, "request such as [GET /_cluster/health] …"),
  body: may(mapOf(json), "… whose answer has these values, by path"),
};

const anyCondition = object(conditionKeys, "condition");

export const condition: Defined<Condition> = defined("condition", {
  ...anyCondition,
  read: (field, what, context) => {
    const read = anyCondition.read(field, what, context);
    const { values } = fieldsOf(field, what);
    const cluster = values.get("cluster");
    if (cluster !== undefined) readName(cluster, "cluster", context.clusters);
    const has = (...keys: readonly string[]): boolean => keys.some((key) => values.has(key));
    const complain = (key: string, says: string): never => {
      throw refuse(values.get(key)?.place ?? field.place, says);
    };
    if (!has("health", "nodes", "shard", "event", "request"))
      complain(
        "index",
        `[${what}] says nothing to wait for: one of [health, nodes, shard, event, request]`,
      );
    if (has("index") && !has("health", "shard"))
      complain("index", "[index] goes with [health] or [shard]");
    if (has("count") && !has("event")) complain("count", "[count] goes with [event]");
    if (has("body") && !has("request")) complain("body", "[body] goes with [request]");
    return read;
  },
});

/** Keys of a trigger; `start` is `from` in the list of faults and `at` in the timeline. */
export function triggerKeys(start: "from" | "at"): readonly string[] {
  return [...new Set([start, "from", "to", "within", "every", "when"])];
}

/** JSON Schema of the trigger keys. */
export function triggerSchema(start: "from" | "at"): JsonObject {
  const time = (says: string): Json => ({ description: says, ...duration.schema });
  return {
    [start]: time("when it happens, from the start of the faults' phase"),
    from: time("when it happens, or may happen at the earliest"),
    to: time("when it ends; with [every] and [when]: when it no longer happens"),
    within: {
      description: "it happens once, at a time drawn from these two",
      type: "array",
      items: duration.schema,
      minItems: 2,
      maxItems: 2,
    },
    every: time("it happens again and again"),
    when: { description: "it happens once, as soon as this holds", ...condition.schema },
  };
}

/** Reads a trigger; `undefined` if there is none. */
export function readTrigger(
  fields: Fields,
  start: "from" | "at",
  context: Context,
): Trigger | undefined {
  const time = (key: string): number | undefined => {
    const field = fields.values.get(key);
    return field === undefined ? undefined : duration.read(field, key, context);
  };
  const given = ["within", "every", "when", ...(start === "at" ? ["at"] : [])].filter((key) =>
    fields.values.has(key),
  );
  if (given.length > 1)
    throw refuse(fields.place, `[${given.join("] and [")}] cannot be said together`);
  refuseIdle(fields, start, given[0]);
  const fromMs = time("from") ?? 0;
  const toMs = time("to");
  const everyMs = time("every");
  if (everyMs !== undefined) {
    if (everyMs === 0) throw refuse(fields.place, "[every] must not be zero");
    if (toMs !== undefined && toMs < fromMs) throw refuse(fields.place, "[to] is before [from]");
    return { kind: "every", everyMs, fromMs, ...(toMs === undefined ? {} : { toMs }) };
  }
  const when = fields.values.get("when");
  if (when !== undefined) {
    if (toMs !== undefined && toMs < fromMs) throw refuse(fields.place, "[to] is before [from]");
    return {
      kind: "when",
      condition: condition.read(when, "when", context),
      fromMs,
      ...(toMs === undefined ? {} : { toMs }),
    };
  }
  const window = fields.values.get("within");
  if (window !== undefined) {
    const [low, high, ...rest] = listOf(duration).read(window, "within", context);
    if (low === undefined || high === undefined || rest.length > 0 || low > high)
      throw refuse(window.place, "[within] must be two times, the earlier one first");
    return { kind: "within", fromMs: low, toMs: high };
  }
  const atMs = time(start);
  return atMs === undefined ? undefined : { kind: "at", atMs };
}

/** Rejects a time that has no meaning for the given trigger. */
function refuseIdle(fields: Fields, start: "from" | "at", given: string | undefined): void {
  const complain = (key: string, says: string): void => {
    const field = fields.values.get(key);
    if (field !== undefined) throw refuse(field.place, says);
  };
  const isStart = start === "from" && given === undefined;
  if (given !== "every" && given !== "when" && !isStart)
    complain(
      "from",
      given === undefined
        ? "[from] goes with [every] or [when]: a time alone is [at]"
        : `[from] says nothing beside [${given}]`,
    );
  if (given !== "every" && given !== "when" && start === "at")
    complain("to", "[to] goes with [every] or [when]: [for] says how long a fault lasts");
}

/** Trigger in the form of a file. */
export function writeTrigger(trigger: Trigger, start: "from" | "at"): JsonObject {
  const time = duration.write;
  switch (trigger.kind) {
    case "at":
      return { [start]: time(trigger.atMs) };
    case "within":
      return { within: [time(trigger.fromMs), time(trigger.toMs)] };
    case "every":
      return {
        every: time(trigger.everyMs),
        from: time(trigger.fromMs),
        ...(trigger.toMs === undefined ? {} : { to: time(trigger.toMs) }),
      };
    case "when":
      return {
        when: condition.write(trigger.condition),
        from: time(trigger.fromMs),
        ...(trigger.toMs === undefined ? {} : { to: time(trigger.toMs) }),
      };
    case "then":
      return {};
  }
}

/** Earliest time at which the trigger may fire. */
export function earliestMs(trigger: Trigger): number {
  if (trigger.kind === "at") return trigger.atMs;
  return trigger.kind === "then" ? 0 : trigger.fromMs;
}
