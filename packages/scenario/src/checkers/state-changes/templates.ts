/** Claims about templates of the three types: their existence, and the members that are kept as given. */
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import type { ClientAnswer } from "../../world.ts";
import { GONE, memberAt, plainNames, textOf, type ChangeKind } from "./change.ts";

/** Readers of a named template in the answer, by type of template. */
const sorts: ReadonlyMap<string, (body: Json, name: string) => Json | undefined> = new Map([
  ["_index_template", (body) => firstOf(body, "index_templates", "index_template")],
  ["_component_template", (body) => firstOf(body, "component_templates", "component_template")],
  ["_template", (body, name) => memberAt(body, [name])],
]);

const kept = ["index_patterns", "composed_of", "priority", "order", "version"] as const;

export const templates: ChangeKind = ({ method, path, body }) => {
  const [sort = "", list] = path;
  const templateIn = sorts.get(sort);
  const isChange = method === "PUT" || method === "POST" || method === "DELETE";
  if (templateIn === undefined || !isChange || path.length !== 2) return undefined;
  const names = plainNames(list);
  if (names === undefined) return { claims: [], touches: [sort] };
  const given = method === "DELETE" ? undefined : body();
  const find =
    (name: string) =>
    ({ status, body: answer }: ClientAnswer): string | undefined => {
      if (status !== 200 && status !== 404) return undefined;
      const template = templateIn(answer, name);
      return isJsonObject(template) ? templateText(template, given ?? {}) : GONE;
    };
  return {
    claims: names.map((name) => ({
      part: `${sort}/${name}`,
      name: `the ${sort.slice(1).replaceAll("_", " ")} [${name}]`,
      becomes: given === undefined ? GONE : templateText(given, given),
      uri: `/${sort}/${encodeURIComponent(name)}`,
      find: find(name),
    })),
  };
};

function firstOf(body: Json, list: string, member: string): Json | undefined {
  const found = memberAt(body, [list]);
  return Array.isArray(found) ? memberAt((found as readonly Json[])[0], [member]) : undefined;
}

/** Members of the request that the answer repeats unchanged. */
function templateText(template: JsonObject, given: JsonObject): string {
  const members = kept.filter((name) => memberAt(given, [name]) !== undefined);
  return textOf(
    Object.fromEntries(
      members.map((name) => {
        const value = memberAt(template, [name]) ?? null;
        return [name, typeof value === "string" ? [value] : value];
      }),
    ),
  );
}
