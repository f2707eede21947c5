/**
 * Concerns about a valid plan: names of indices that no one makes, and copies that no node can hold. A concern is serious
 * if the run cannot be what its author meant; others may be intended. They never keep a plan from running: generated and
 * shrunk plans may have them.
 */
import { lookup, similar } from "@orrery/stdx";
import { requestsOf } from "./checkers/requests-of.ts";
import { isFields, type Field, type Fields, type FieldValue, type Place } from "./fields.ts";
import { placementConcerns } from "./placement-concerns.ts";
import type { Plan } from "./plan.ts";
import { readYaml } from "./yaml.ts";

/** Concern with the path of the value that it is about, such as `workload`, 0, `index`. */
export interface Concern {
  readonly path: readonly (string | number)[];
  readonly says: string;
  readonly isSerious: boolean;
}

export interface PlacedConcern extends Concern {
  readonly place: Place;
}

/** Concerns about the plan of a file, with their positions. */
export function concernsOf(file: string, text: string, plan: Plan): readonly PlacedConcern[] {
  const fields = readYaml(file, text);
  return [...indexConcerns(plan), ...placementConcerns(plan)].map((concern) => ({
    ...concern,
    place: placeOf(fields, concern.path),
  }));
}

/** Position of the value, or of the nearest part of the plan that is in the file. */
function placeOf(fields: Fields, path: readonly (string | number)[]): Place {
  let place = fields.place;
  let value: FieldValue = fields;
  for (const step of path) {
    const next: Field | undefined = memberOf(value, step);
    // A list of one item may omit the brackets.
    if (next === undefined && step === 0) continue;
    if (next === undefined) return place;
    ({ place, value } = next);
  }
  return place;
}

function memberOf(value: FieldValue, step: string | number): Field | undefined {
  if (typeof step === "string") return isFields(value) ? value.values.get(step) : undefined;
  return Array.isArray(value) ? (value as readonly Field[]).at(step) : undefined;
}

/** Use of an index by name. */
interface Use {
  readonly index: string;
  readonly path: Concern["path"];
  /** A write creates a missing index, unless the cluster forbids it. */
  readonly isWrite: boolean;
}

function indexConcerns(plan: Plan): readonly Concern[] {
  const requests = requestsOf(plan);
  // Restores, templates and rules of replication make indices whose names are not known.
  const isOpen = requests.some(({ uri }) =>
    /\/_(?:restore|import|index_template|template|component_template|autofollow|rollover)\b|\/_dangling\//.test(
      uri,
    ),
  );
  if (isOpen) return [];
  const made = new Set(
    plan.indices.flatMap(({ name, aliases }) => [name, ...Object.keys(aliases)]),
  );
  const isMade = (name: string): boolean =>
    made.has(name) || requests.some((request) => makes(request, name));
  const isCreated = !plan.clusters.some(
    ({ settings }) => lookup(settings, "action.auto_create_index") === "false",
  );
  return usesOf(plan).flatMap(({ index, path, isWrite }): Concern[] => {
    if (/[*,{}<]|^[_-]/.test(index) || isMade(index)) return [];
    const [near] = similar(index, made);
    const hint = near === undefined ? "" : ` -> did you mean [${near}]?`;
    const consequence = isWrite && isCreated ? "; the first write creates it with defaults" : "";
    return [
      {
        path,
        says: `nothing makes the index [${index}]${consequence}${hint}`,
        isSerious: consequence === "",
      },
    ];
  });
}

type Request = ReturnType<typeof requestsOf>[number];

/** True if the request may create the index: it writes to it, or names it in its body, or behind another index. */
function makes({ method, uri, body }: Request, name: string): boolean {
  if (method === "GET" || method === "HEAD" || method === "DELETE") return false;
  const [path = ""] = uri.split("?");
  const [first = "", ...others] = path.slice(1).split("/");
  const isRead = /^_(?:search|count|refresh|flush|close|open|settings|mapping)/.test(
    others[0] ?? "",
  );
  return (
    (first === name && !isRead) ||
    others.includes(name) ||
    JSON.stringify(body ?? null).includes(JSON.stringify(name))
  );
}

function usesOf({ workload, timeline, faults }: Plan): readonly Use[] {
  const clients = workload.flatMap((one, i): Use[] => {
    const path = ["workload", i, "index"];
    switch (one.kind) {
      case "search":
      case "pages":
        return one.index.split(",").map((index) => ({ index, path, isWrite: false }));
      case "bulk":
      case "registers":
      case "application":
        return [{ index: one.index, path, isWrite: true }];
      case "requests":
        return one.mix.flatMap(({ request }, k) => {
          const [method = "", uri = ""] = request.split(" ");
          return useOf({ method, uri }, ["workload", i, "mix", k, "request"]);
        });
      case "new-indices":
        return [];
    }
  });
  const scripted = timeline.flatMap(({ action, trigger }, i): Use[] => {
    const awaited = trigger.kind === "when" ? trigger.condition.index : undefined;
    const condition: Use[] =
      awaited === undefined
        ? []
        : [{ index: awaited, path: ["timeline", i, "when", "index"], isWrite: false }];
    if (action.kind !== "request") return condition;
    const { step } = action;
    // A request whose failure is expected may name what is missing.
    if (step.attempt === true || step.expect.status !== undefined) return condition;
    return [...condition, ...useOf(step, ["timeline", i, "request"])];
  });
  const awaited = faults.flatMap(({ trigger }, i): Use[] => {
    const index = trigger.kind === "when" ? trigger.condition.index : undefined;
    return index === undefined
      ? []
      : [{ index, path: ["faults", i, "when", "index"], isWrite: false }];
  });
  return [...clients, ...scripted, ...awaited];
}

/** Use of the index that begins the path of a request. */
function useOf(
  { method, uri }: Pick<Request, "method" | "uri">,
  path: Concern["path"],
): readonly Use[] {
  const [index = ""] = uri.slice(1).split(/[/?]/);
  if (index === "" || index.startsWith("_") || index.startsWith("{")) return [];
  const isWrite =
    method === "PUT" || (method === "POST" && /\/_(?:doc|bulk|create|update)\b/.test(uri));
  return [{ index, path, isWrite }];
}
