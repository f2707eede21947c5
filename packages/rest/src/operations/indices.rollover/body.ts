/** Body of a rollover: conditions, and settings, mapping and aliases of the new index. Source: `RolloverRequest`, `Condition`. */
import { flattenSettings, type AliasMetadata, type SettingsChange } from "@orrery/cluster-state";
import {
  javaText,
  formatByteSize,
  formatDuration,
  isJsonObject,
  parseByteSize,
  parseDuration,
  type Json,
  type JsonObject,
  type OperationError,
  type Problem,
} from "@orrery/stdx";
import type { Content } from "../../content.ts";
import { aliasOfJson } from "../../indices/alias-metadata.ts";
import { refuseTypedMapping } from "../../indices/typed-mapping.ts";
import {
  inside,
  wrapProblem,
  strictNumber,
  strictObject,
  type Place,
  type StrictParser,
} from "../../templates/strict-object.ts";

/** A condition for the rollover. */
export interface Condition {
  readonly name: "max_age" | "max_docs" | "max_size";
  /** Threshold in milliseconds, documents or bytes. */
  readonly most: number;
  /** Threshold as the response prints it. */
  readonly text: string;
}

/** The parsed body of a rollover: its conditions, and the definition of the new index. */
export interface RolloverBody {
  readonly conditions: readonly Condition[];
  readonly settings: SettingsChange;
  readonly mapping: JsonObject;
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
}

const parser: StrictParser = {
  name: "rollover",
  fields: { conditions: "object", settings: "object", mappings: "object", aliases: "object" },
};

const conditionParser: StrictParser = {
  name: "conditions",
  fields: { max_age: "text", max_docs: "number", max_size: "text" },
};

/** Parses the body; without one there are no conditions, and the rollover is unconditional. */
export function rolloverBody(content: Content | undefined): RolloverBody {
  if (content === undefined) return { conditions: [], settings: {}, mapping: {}, aliases: {} };
  const place = { content, path: [], outer: [] };
  const body = strictObject(content.json(), parser, place);
  const { conditions, settings, mappings, aliases } = body;
  const mapping = isJsonObject(mappings) ? mappings : {};
  refuseTypedMapping(mapping);
  return {
    conditions:
      conditions === undefined ? [] : conditionsOf(conditions, inside(place, parser, "conditions")),
    settings: isJsonObject(settings) ? flattenSettings(settings, "index.") : {},
    mapping,
    aliases: isJsonObject(aliases) ? aliasesOf(aliases) : {},
  };
}

function aliasesOf(aliases: JsonObject): RolloverBody["aliases"] {
  return Object.fromEntries(
    Object.entries(aliases).map(([name, alias]) => [
      name,
      aliasOfJson(isJsonObject(alias) ? alias : {}),
    ]),
  );
}

function conditionsOf(value: Json, place: Place): readonly Condition[] {
  const given = strictObject(value, conditionParser, place);
  return Object.keys(given).map((name): Condition => {
    if (name === "max_docs") {
      const most = strictNumber(given, name, { parser: conditionParser, place }) ?? 0;
      return { name, most, text: String(most) };
    }
    return name === "max_age" ? ageOf(given, place) : sizeOf(given, place);
  });
}

function ageOf(given: JsonObject, place: Place): Condition {
  const text = javaText(given["max_age"]);
  const most = parseDuration(text);
  if (most !== undefined) return { name: "max_age", most, text: formatDuration(most) };
  const reason = `failed to parse setting [max_age] with value [${text}] as a time value: unit is missing or unrecognized`;
  throw failed("max_age", place, { type: "illegal_argument_exception", reason, status: 400 });
}

function sizeOf(given: JsonObject, place: Place): Condition {
  const text = javaText(given["max_size"]);
  const most = parseByteSize(text);
  if (most !== undefined) return { name: "max_size", most, text: formatByteSize(most) };
  const reason = `failed to parse setting [max_size] with value [${text}] as a size in bytes: unit is missing or unrecognized`;
  throw failed("max_size", place, { type: "parse_exception", reason, status: 400 });
}

function failed(field: string, place: Place, causedBy: Problem): OperationError {
  const at = place.content.at([...place.path, field], "value");
  const reason = `${at} [conditions] failed to parse field [${field}]`;
  return wrapProblem(place, at, {
    type: "x_content_parse_exception",
    reason,
    status: 400,
    causedBy,
  });
}
