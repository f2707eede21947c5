/** The source filter of a request: `_source`, `_source_includes`, `_source_excludes`. Source: `FetchSourceContext`. */
import type { SourceFilter } from "@orrery/node";
import { javaText, isJsonObject, type Json } from "@orrery/stdx";
import { list, text, type Parameter, type Parameters, type Parsed } from "../parameters.ts";

/** Parameters that filter the `_source` of a document. */
export interface SourceParameters extends Parameters {
  readonly _source: Parameter<string | undefined>;
  readonly _source_includes: Parameter<readonly string[] | undefined>;
  readonly _source_excludes: Parameter<readonly string[] | undefined>;
}

export const sourceParameters: SourceParameters = {
  _source: text(),
  _source_includes: list(),
  _source_excludes: list(),
};

/**
 * The source filter of the parameters `_source`, `_source_includes` and `_source_excludes`; `undefined` when the
 * request has none of these.
 */
export function sourceFilterOf(query: Parsed<SourceParameters>): SourceFilter | undefined {
  const { _source: source, _source_includes: includes, _source_excludes: excludes } = query;
  if (source === "false") return false;
  const named =
    source === undefined || source === "" || source === "true" ? undefined : source.split(",");
  if (named === undefined && includes === undefined && excludes === undefined) {
    return source === undefined ? undefined : true;
  }
  return { includes: includes ?? named ?? [], excludes: excludes ?? [] };
}

/**
 * The filter in a body: a boolean, a pattern, a list of patterns, or an object with two lists; `undefined` for an
 * absent or null value.
 */
export function sourceFilterOfJson(value: Json | undefined): SourceFilter | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "boolean") return value;
  if (isJsonObject(value)) {
    return {
      includes: textsOf(value["includes"] ?? value["include"]),
      excludes: textsOf(value["excludes"] ?? value["exclude"]),
    };
  }
  if (value === "true" || value === "false") return value === "true";
  return { includes: textsOf(value), excludes: [] };
}

function textsOf(value: Json | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map(javaText) : [javaText(value)];
}
