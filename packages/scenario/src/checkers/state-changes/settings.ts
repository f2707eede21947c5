/** Claims about settings of indices and of the cluster, except those that the product changes itself. */
import { isJsonObject, javaText, type Json, type JsonObject } from "@orrery/stdx";
import { isLenient, memberAt, plainNames, type ChangeKind, type Claim } from "./change.ts";

const UNSET = "unset";

/** Blocks that the disk threshold monitor sets and removes. */
const ofTheProduct: ReadonlySet<string> = new Set([
  "index.blocks.read_only_allow_delete",
  "cluster.blocks.create_index",
]);

const REPLICAS = "index.number_of_replicas";

export const indexSettings: ChangeKind = (sent) => {
  const { method, path, query, body } = sent;
  const isForAll = path[0] === "_settings" && path.length === 1;
  if (method !== "PUT" || !(isForAll || (path[1] === "_settings" && path.length === 2)))
    return undefined;
  const names = isForAll ? undefined : plainNames(path[0]);
  if (names === undefined) return { claims: [], touches: ["index-part"] };
  const touches = names.map((name) => `index-part/${name}/setting`);
  if (query.get("preserve_existing") !== null || isLenient(sent)) return { claims: [], touches };
  const own = body()["settings"];
  const changes = flat(isJsonObject(own) ? own : body(), "index.");
  // A pattern resets all settings that it matches.
  if (changes.some(([key]) => key.includes("*"))) return { claims: [], touches };
  const claims = names.flatMap((name) =>
    changes.flatMap(([key, value]) => claim(name, key, value)),
  );
  return { claims };
};

/** Effect of `PUT /{index}/_block/{block}`. */
export const indexBlocks: ChangeKind = (sent) => {
  const { method, path } = sent;
  const [list, action, block = ""] = path;
  if (method !== "PUT" || action !== "_block" || path.length !== 3) return undefined;
  const names = plainNames(list);
  if (names === undefined) return { claims: [], touches: ["index-part"] };
  const key = `index.blocks.${block}`;
  const touches = names.map((name) => `index-part/${name}/setting/${key}`);
  if (isLenient(sent)) return { claims: [], touches };
  return { claims: names.flatMap((name) => claim(name, key, "true")), touches };
};

function claim(index: string, key: string, value: string | undefined): readonly Claim[] {
  // After a reset the number of replicas is the default, which the cluster determines.
  if (ofTheProduct.has(key) || (key === REPLICAS && value === undefined)) return [];
  return [
    {
      part: `index-part/${index}/setting/${key}`,
      name: `the setting [${key}] of [${index}]`,
      becomes: value ?? UNSET,
      uri: `/${encodeURIComponent(index)}/_settings?flat_settings=true`,
      find: ({ body }) => {
        const settings = memberAt(body, [index, "settings"]);
        if (settings === undefined || isExpanded(settings, key)) return undefined;
        return shown(memberAt(settings, [key]));
      },
    },
  ];
}

/** True if the number of replicas follows the number of nodes (`auto_expand_replicas`). */
function isExpanded(settings: Json, key: string): boolean {
  const expand = memberAt(settings, ["index.auto_expand_replicas"]);
  return key === REPLICAS && expand !== undefined && expand !== "false";
}

export const clusterSettings: ChangeKind = ({ method, path, body }) => {
  if (method !== "PUT" || path.join("/") !== "_cluster/settings") return undefined;
  const changes = (["persistent", "transient"] as const).flatMap((level) => {
    const section = body()[level];
    return flat(isJsonObject(section) ? section : {}).map(
      ([key, value]) => [level, key, value] as const,
    );
  });
  // A pattern resets all settings that it matches.
  if (changes.some(([, key]) => key.includes("*"))) return { claims: [], touches: ["setting"] };
  const judged = changes.filter(([, key]) => !ofTheProduct.has(key));
  return {
    claims: judged.map(([level, key, value]) => ({
      part: `setting/${level}/${key}`,
      name: `the ${level} setting [${key}]`,
      becomes: value ?? UNSET,
      uri: "/_cluster/settings?flat_settings=true",
      find: ({ body: answer }) => {
        const settings = memberAt(answer, [level]);
        return settings === undefined ? undefined : shown(memberAt(settings, [key]));
      },
    })),
  };
};

/** Settings by full name, with their values as text; `undefined` for a reset. */
function flat(source: JsonObject, prefix = ""): readonly (readonly [string, string | undefined])[] {
  const found = new Map<string, string | undefined>();
  const walk = (value: Json, path: string): void => {
    if (!isJsonObject(value)) return void found.set(named(path, prefix), kept(value));
    for (const [key, inner] of Object.entries(value))
      walk(inner ?? null, path === "" ? key : `${path}.${key}`);
  };
  walk(source, "");
  return [...found];
}

function named(key: string, prefix: string): string {
  return key.startsWith(prefix) || key.startsWith("archived.") ? key : `${prefix}${key}`;
}

function kept(value: Json): string | undefined {
  if (value === null) return undefined;
  return Array.isArray(value) ? JSON.stringify(value.map(String)) : javaText(value);
}

function shown(value: Json | undefined): string {
  if (value === undefined) return UNSET;
  return typeof value === "string" ? value : JSON.stringify(value);
}
