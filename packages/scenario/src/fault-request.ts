/** Fault requested while a cluster runs: a kind, and values by name, as text or as JSON. */
import type { Json, JsonObject } from "@orrery/stdx";
import { complaintOf, fault as faultShape } from "./fault-shape.ts";
import type { Fault, FaultFamily, FaultKind } from "./faults/fault.ts";
import { faultKinds, faults } from "./faults/table.ts";
import type { Field, Fields, FieldValue, Place } from "./fields.ts";
import { complain } from "./kinded.ts";
import { entriesOfKeys } from "./shape.ts";
import type { Capability, World } from "./world.ts";

/** Description of one kind of fault, for help texts. */
export interface FaultHelp {
  readonly kind: FaultKind;
  readonly family: FaultFamily;
  readonly says: string;
  readonly needs: readonly Capability[];
  readonly isInstant: boolean;
  readonly keys: readonly FaultKeyHelp[];
}

export interface FaultKeyHelp {
  readonly name: string;
  readonly says: string;
  /** Form of the value. */
  readonly value: string;
  readonly isRequired: boolean;
  readonly otherwise?: Json;
}

/** Descriptions of all kinds of faults. */
export function faultHelp(): readonly FaultHelp[] {
  return faultKinds.map((kind) => {
    const { family, says, needs, isInstant, keys } = faults[kind];
    return {
      kind,
      family,
      says,
      needs,
      isInstant: isInstant ?? false,
      keys: entriesOfKeys<object>(keys),
    };
  });
}

const place: Place = { plan: "", path: "" };

/** Reads a fault; throws `OperationError` with one sentence that names the invalid value. */
export function readFaultRequest(kind: string, values: JsonObject, world: World): Fault {
  const nodes = new Map(world.nodes().map((node) => [node, world.clusterOf(node)]));
  const context = { nodes, clusters: [...new Set(nodes.values())] };
  const keys = faultHelp().find((row) => row.kind === kind)?.keys ?? [];
  const texts = new Set(keys.flatMap(({ name, value }) => (value === "text" ? name : [])));
  const fields = fieldsOf({ kind, ...values }, texts);
  const fault = faultShape.readBeside(fields, [], context);
  complain(fields, complaintOf(fault, context));
  return fault;
}

/** Fields of the values. A text that is a number becomes one, except for text keys: a zone may be named `1`. */
function fieldsOf(values: JsonObject, texts: ReadonlySet<string> = new Set()): Fields {
  const entries = Object.entries(values).flatMap(([name, value]): [string, Field][] => {
    if (value === undefined) return [];
    const isText = typeof value === "string" && texts.has(name);
    return [[name, { place, value: isText ? value : fieldOf(value) }]];
  });
  return { place, values: new Map(entries) };
}

function fieldOf(value: Json): FieldValue {
  if (Array.isArray(value)) return value.map((item) => ({ place, value: fieldOf(item) }));
  if (typeof value === "object" && value !== null) return fieldsOf(value as JsonObject);
  return typeof value === "string" ? plain(value) : (value as number | boolean | null);
}

/** Text of a command line or URL query as number or boolean, if it is one. */
function plain(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
