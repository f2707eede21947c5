/**
 * Shape of a timeline entry: its trigger, and its action: a fault, the end of one, a request, a wait, the start or stop
 * of a node.
 */
import type { Json, JsonObject } from "@orrery/stdx";
import { complaintOf, fault, instant, plainFault } from "./fault-shape.ts";
import { rowOf } from "./faults/table.ts";
import { complaintOfExpected } from "./expectations.ts";
import { checkKeys, readName, refuse, type Field, type Fields } from "./fields.ts";
import { complain } from "./kinded.ts";
import type { Action, Expectation, RestStep, TimelineEntry, Trigger } from "./plan.ts";
import { addressesIn, namedInPlaceholders } from "./placeholders.ts";
import { selector } from "./selectors.ts";
import {
  defined,
  duration,
  fieldsOf,
  flag,
  integer,
  json,
  keysOf,
  mapOf,
  may,
  object,
  or,
  readKeys,
  requestLine,
  schemaOf,
  someOf,
  text,
  writeKeys,
  type Context,
  type Keys,
  type Defined,
  type Shape,
} from "./shape.ts";
import { readTrigger, triggerKeys, triggerSchema, writeTrigger } from "./trigger-shape.ts";

/** Expected value in an answer: any JSON, a comparison such as `>= 3`, or a regular expression such as `/text/`. */
const expected: Shape<Json> = {
  ...json,
  read: (field, what, context) => {
    const value = json.read(field, what, context);
    const complaint = typeof value === "string" ? complaintOfExpected(value) : undefined;
    if (complaint !== undefined) throw refuse(field.place, complaint);
    return value;
  },
};

const oneStatus = integer(100, 599);
const statuses = someOf(oneStatus);
const COMPARED = /^(?:<=|>=|<|>) ?[1-5]\d\d$/;

/** Expected status: one, several, or a comparison. */
const expectedStatus: Shape<NonNullable<Expectation["status"]>> = {
  read: (field, what, context) => {
    const { value } = field;
    if (Array.isArray(value)) return statuses.read(field, what, context);
    if (typeof value !== "string") return oneStatus.read(field, what, context);
    if (COMPARED.test(value)) return value;
    throw refuse(
      field.place,
      `[${value}] is no status: expected a number such as [200], a list of them, or a comparison such as [>= 400]`,
    );
  },
  write: (status) => (typeof status === "object" ? [...status] : status),
  schema: {
    anyOf: [
      oneStatus.schema,
      { type: "string", pattern: COMPARED.source },
      { type: "array", items: oneStatus.schema, minItems: 1 },
    ],
  },
  says: "status, list of them, or text such as `>= 400`",
};

export const expectationKeys: Keys<Expectation> = {
  status: may(expectedStatus, "HTTP status; default: any below 300"),
  body: may(mapOf(expected), "values by path, such as [hits.total.value]"),
};

type StepKeys = Omit<RestStep, "method" | "uri">;

export const stepKeys: Keys<StepKeys> = {
  body: may(json, "body of the request; a list is sent line by line"),
  node: may(selector, "node that is asked; default: any running one"),
  expect: or(object(expectationKeys, "expectation"), {}, "expected answer"),
  save: may(
    mapOf(text),
    "names for values of the answer, by path: later entries say {name} in paths, bodies and expectations; {address:node-1} is a node's transport address",
  ),
  untilMs: may(duration, "time for which the request is repeated until the answer is as expected"),
  attempt: may(flag, "a failed or missing answer is no finding"),
  timeoutMs: or(duration, 30_000, "time-out of each attempt"),
};

export const faultEntryKeys: Keys<{ readonly forMs?: number; readonly id?: string }> = {
  forMs: may(duration, "duration of the fault; default: until the end of the phase"),
  id: may(text, "id for an [end] entry"),
};

const actions = ["fault", "end", "request", "wait", "start", "stop"] as const;

export const entry: Defined<TimelineEntry> = defined("entry", {
  read: (field, _what, context) => {
    const fields = fieldsOf(field, "timeline");
    const given = actions.filter((name) => fields.values.has(name));
    const [name] = given;
    if (name === undefined) {
      checkKeys(fields, [
        ...triggerKeys("at"),
        ...actions,
        ...keysOf(stepKeys),
        ...keysOf(faultEntryKeys),
      ]);
      throw refuse(field.place, `an entry does one of [${actions.join(", ")}]`);
    }
    if (given.length > 1)
      throw refuse(field.place, `an entry does one thing, not [${given.join("] and [")}]`);
    const trigger: Trigger = readTrigger(fields, "at", context) ?? { kind: "then" };
    const action = readAction(name, fields, context);
    return { trigger, action };
  },
  write: ({ trigger, action }) => ({ ...writeTrigger(trigger, "at"), ...writeAction(action) }),
  get schema() {
    const node: Json = { description: "the node", ...selector.schema };
    const says = "METHOD /path, such as [GET /_cluster/health]";
    const request = { request: { description: says, ...requestLine.schema } };
    const end = { end: { description: "ends the fault of this id", ...text.schema } };
    const wait = { wait: { description: "nothing happens for so long", ...duration.schema } };
    const faultSchema = { fault: { description: "what goes wrong", ...plainFault.schema } };
    return {
      anyOf: [
        oneAction(schemaOf(stepKeys, request), "request"),
        oneAction(schemaOf(faultEntryKeys, faultSchema), "fault"),
        oneAction(schemaOf({}, end), "end"),
        oneAction(schemaOf({}, wait), "wait"),
        oneAction(schemaOf({}, { start: node }), "start"),
        oneAction(schemaOf({}, { stop: node }), "stop"),
      ],
    };
  },
  says: "entry",
});

function oneAction(schema: JsonObject, name: string): JsonObject {
  const properties = schema["properties"] as JsonObject;
  return { ...schema, properties: { ...triggerSchema("at"), ...properties }, required: [name] };
}

function readAction(name: (typeof actions)[number], fields: Fields, context: Context): Action {
  const field = fields.values.get(name) as Field;
  const only = (others: readonly string[] = []): void =>
    checkKeys(fields, [name, ...triggerKeys("at"), ...others]);
  switch (name) {
    case "fault": {
      only(keysOf(faultEntryKeys));
      const inside = ["for", ...triggerKeys("at"), "id"];
      const misplaced = inside.find((key) => fieldsOf(field, name).values.has(key));
      if (misplaced !== undefined)
        throw refuse(
          fieldsOf(field, name).values.get(misplaced)?.place ?? field.place,
          `[${misplaced}] is of the entry, not of the fault: it stands beside [fault]`,
        );
      const read = fault.read(field, name, context);
      complain(field, complaintOf(read, context));
      const entryOf = readKeys(fields, faultEntryKeys, context);
      if (rowOf(read).isInstant && entryOf.forMs !== undefined)
        throw refuse(field.place, instant(read));
      return { kind: "fault", fault: read, ...entryOf };
    }
    case "request": {
      only(keysOf(stepKeys));
      const [verb = "", uri = ""] = requestLine.read(field, name, context).split(" ");
      const step = { method: verb, uri, ...readKeys(fields, stepKeys, context) };
      for (const node of [...namedInPlaceholders(uri, step.body), ...addressesIn(uri, step.body)])
        readName({ ...field, value: node }, "node", [...context.nodes.keys()]);
      return { kind: "request", step };
    }
    case "end":
      only();
      return { kind: "end", id: text.read(field, name, context) };
    case "wait":
      only();
      return { kind: "wait", forMs: duration.read(field, name, context) };
    default:
      only();
      return { kind: name, node: selector.read(field, name, context) };
  }
}

function writeAction(action: Action): JsonObject {
  switch (action.kind) {
    case "fault":
      return { fault: fault.write(action.fault), ...writeKeys(action, faultEntryKeys as never) };
    case "request": {
      const { step } = action;
      return { request: `${step.method} ${step.uri}`, ...writeKeys(step, stepKeys as never) };
    }
    case "end":
      return { end: action.id };
    case "wait":
      return { wait: duration.write(action.forMs) };
    default:
      return { [action.kind]: action.node };
  }
}
