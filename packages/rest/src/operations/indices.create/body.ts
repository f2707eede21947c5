/** Body of an index creation: `settings`, `mappings`, `aliases`, and no other key. */
import { flattenSettings, type AliasMetadata, type SettingsChange } from "@orrery/cluster-state";
import { isJsonObject, lookup, OperationError, type Json, type JsonObject } from "@orrery/stdx";
import type { Content } from "../../content.ts";
import { aliasOfJson } from "../../indices/alias-metadata.ts";
import { refuseTypedMapping } from "../../indices/typed-mapping.ts";

/** The parsed body of an index creation. */
export interface NewIndexBody {
  readonly settings: SettingsChange;
  readonly mapping: JsonObject;
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
}

/** Parses the body; without one all parts are empty. */
export function newIndexBody(content: Content | undefined): NewIndexBody {
  return newIndexOf(content?.map() ?? {});
}

/** Parses a body that is an object already. */
export function newIndexOf(body: JsonObject): NewIndexBody {
  for (const key of Object.keys(body)) {
    if (key === "settings" || key === "mappings" || key === "aliases") continue;
    throw parseProblem(`unknown key [${key}] for create index`);
  }
  const settings = section(body, "settings");
  const aliases = Object.entries(section(body, "aliases")).map(
    ([name, value]) => [name, alias(value)] as const,
  );
  const mapping = section(body, "mappings");
  refuseTypedMapping(mapping);
  return {
    settings: flattenSettings(settings, "index."),
    mapping,
    aliases: Object.fromEntries(aliases),
  };
}

function alias(value: Json | undefined): AliasMetadata {
  return aliasOfJson(isJsonObject(value) ? value : {});
}

function section(body: JsonObject, key: string): JsonObject {
  const value = lookup(body, key);
  if (value === undefined) return {};
  if (isJsonObject(value)) return value;
  throw parseProblem(`key [${key}] must be an object`);
}

function parseProblem(reason: string): OperationError {
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}
