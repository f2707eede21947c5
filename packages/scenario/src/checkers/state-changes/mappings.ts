/**
 * Claims about mappings: the types of the fields that the request names. Documents may add further fields meanwhile.
 */
import { isJsonObject, type Json } from "@orrery/stdx";
import { isLenient, memberAt, plainNames, type ChangeKind } from "./change.ts";

const NONE = "not mapped";

export const mappings: ChangeKind = (sent) => {
  const { method, path, query, body } = sent;
  const isChange = method === "PUT" || method === "POST";
  const isMapping = path[1] === "_mapping" || path[1] === "_mappings";
  if (!isChange || !isMapping || path.length !== 2) return undefined;
  const names = query.has("write_index_only") ? undefined : plainNames(path[0]);
  if (names === undefined) return { claims: [], touches: ["index-part"] };
  if (isLenient(sent))
    return { claims: [], touches: names.map((name) => `index-part/${name}/mapping`) };
  const fields = fieldsOf(body());
  return {
    claims: names.flatMap((index) =>
      fields.map(({ at, type }) => ({
        part: `index-part/${index}/mapping/${at.join(".")}`,
        name: `the field [${at.filter((_, i) => i % 2 === 1).join(".")}] of [${index}]`,
        becomes: type,
        uri: `/${encodeURIComponent(index)}/_mapping`,
        find: ({ body: answer }) => {
          const mapping = memberAt(answer, [index, "mappings"]);
          if (mapping === undefined) return undefined;
          const found = memberAt(mapping, [...at, "type"]);
          return typeof found === "string" ? found : NONE;
        },
      })),
    ),
  };
};

interface Field {
  /** Member names on the way to the field, such as `properties`, `title`, `fields`, `raw`. */
  readonly at: readonly string[];
  readonly type: string;
}

function fieldsOf(parent: Json | undefined, at: readonly string[] = []): readonly Field[] {
  return ["properties", "fields"].flatMap((section) => {
    const inner = memberAt(parent, [section]);
    if (!isJsonObject(inner)) return [];
    return Object.entries(inner).flatMap(([name, field = null]): readonly Field[] => {
      // A name with dots stands for nested objects.
      if (name.includes(".")) return [];
      const here = [...at, section, name];
      const type = memberAt(field, ["type"]);
      // Answers omit the type of an object field.
      const isLeaf = typeof type === "string" && type !== "object";
      return [...(isLeaf ? [{ at: here, type }] : []), ...fieldsOf(field, here)];
    });
  });
}
