/** Look-up of templates by name or pattern. */
import { inHashOrder, matchesGlob, OperationError } from "@orrery/stdx";

type Found<Value> = readonly (readonly [string, Value])[];

/**
 * Component or index templates by one name or pattern; `undefined`: all. A missing name throws 404; a pattern may match
 * nothing.
 */
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

/** Templates that match any of several names and patterns; all without any. An empty result is no error. */
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
