/** Shape of a fault in the list `faults`: the fault, its start and its end. */
import { greatest, type JsonObject } from "@orrery/stdx";
import { refuse } from "./fields.ts";
import type { Fault } from "./faults/fault.ts";
import { faults, rowOf } from "./faults/table.ts";
import { complain, kinded, type Kinded } from "./kinded.ts";
import type { TimedFault, Trigger } from "./plan.ts";
import { defined, duration, fieldsOf, type Context, type Defined } from "./shape.ts";
import { readTrigger, triggerKeys, triggerSchema, writeTrigger } from "./trigger-shape.ts";

export const fault: Kinded<Fault> = kinded("fault", () => faults);
export const plainFault: Defined<Fault> = defined("fault", fault);

const beside: JsonObject = {
  for: {
    description: "how long it lasts; until the end of the phase when it is not said",
    ...duration.schema,
  },
};

export const timedFault: Defined<TimedFault> = defined("timedFault", {
  read: (field, _what, context) => {
    const fields = fieldsOf(field, "fault");
    const read = fault.readBeside(fields, ["for", ...triggerKeys("from")], context);
    complain(field, complaintOf(read, context));
    const trigger: Trigger = readTrigger(fields, "from", context) ?? { kind: "at", atMs: 0 };
    const forMs = lengthOf(trigger, fields, context);
    if (rowOf(read).isInstant && forMs !== undefined) throw refuse(fields.place, instant(read));
    return { trigger, ...(forMs === undefined ? {} : { forMs }), fault: read };
  },
  write: ({ trigger, forMs, fault: given }) => ({
    ...(fault.write(given) as JsonObject),
    ...writeTrigger(trigger, "from"),
    ...(forMs === undefined ? {} : { for: duration.write(forMs) }),
  }),
  get schema() {
    const times = { ...triggerSchema("from"), ...beside };
    return { anyOf: fault.schemasBeside(times) };
  },
  says: "fault",
});

/** Error for a `to` or `for` of a fault that ends with its injection. */
export function instant({ kind }: Fault): string {
  return `[${kind}] is over at once: it takes no [to] and no [for]`;
}

/** Duration of a fault: `for`, or `to` if the start is a fixed time. */
function lengthOf(
  trigger: Trigger,
  fields: Parameters<typeof readTrigger>[0],
  context: Context,
): number | undefined {
  const lasting = fields.values.get("for");
  const end = fields.values.get("to");
  if (lasting !== undefined) {
    if (end !== undefined && trigger.kind !== "every" && trigger.kind !== "when")
      throw refuse(fields.place, "[to] and [for] cannot be said together");
    return duration.read(lasting, "for", context);
  }
  if (end === undefined || trigger.kind === "every" || trigger.kind === "when") return undefined;
  if (trigger.kind !== "at")
    throw refuse(end.place, "[to] is a time of the phase: say [for], as the start is not known");
  const toMs = duration.read(end, "to", context);
  if (toMs < trigger.atMs) throw refuse(fields.place, "[to] is before [from]");
  return toMs - trigger.atMs;
}

/** Reason why the plan cannot have this fault, in a sentence; `undefined` if it can. */
export function complaintOf(given: Fault, { nodes, added }: Context): string | undefined {
  const sizes = new Map<string, number>();
  for (const cluster of nodes.values()) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  const about = {
    size: Math.max(0, greatest(sizes.values())),
    nodes: [...nodes.keys()].filter((node) => added?.has(node) !== true),
  };
  return rowOf(given).complaint?.(given, about);
}

/** Fault in words, with targets and properties: `node-2 (node any)`, `node-1 -> node-2, node-3 (high 50ms)`. */
export function describeFault(given: Fault, targets: readonly string[]): string {
  const whom = targets.join(", ").replace(/, (<?->), /, " $1 ");
  const { kind: _, ...written } = fault.write(given) as JsonObject;
  const said = Object.entries(written).map(([key, value]): [string, string] => [
    key,
    Array.isArray(value) ? value.join(", ") : String(value),
  ]);
  const news = said.filter(([, value]) => value !== whom).map((pair) => pair.join(" "));
  if (news.length === 0) return whom;
  return whom === "" ? news.join(", ") : `${whom} (${news.join(", ")})`;
}
