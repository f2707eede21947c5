/** Templates by name or pattern, as the three kinds of GET find them. */
import { inHashOrder, matchesGlob, OperationError } from "@orrery/stdx";

type Found<Value> = readonly (readonly [string, Value])[];

/** Composable ones: a single name or pattern; a name that is not there is a 404, an empty match too. */
export function templatesNamed<Value>(
  templates: ReadonlyMap<string, Value>,
  name: string | undefined,
  kind: "component" | "index",
): Found<Value> {
  const all = ordered(templates);
  if (name === undefined) return all;
  if (name.includes("*")) return all.filter(([one]) => matchesGlob(name, one));
  const found = templates.get(name);
  if (found !== undefined) return [[name, found]];
  const reason = `${kind} template matching [${name}] not found`;
  throw new OperationError({ type: "resource_not_found_exception", reason, status: 404 });
}

/** Legacy ones: any of several names and patterns. */
export function legacyTemplatesNamed<Value>(
  templates: ReadonlyMap<string, Value>,
  names: readonly string[],
): Found<Value> {
  const all = ordered(templates);
  if (names.length === 0) return all;
  return all.filter(([one]) => names.some((name) => matchesGlob(name, one)));
}

function ordered<Value>(templates: ReadonlyMap<string, Value>): Found<Value> {
  return inHashOrder([...templates.keys()]).flatMap((name) => {
    const template = templates.get(name);
    return template === undefined ? [] : [[name, template] as const];
  });
}
