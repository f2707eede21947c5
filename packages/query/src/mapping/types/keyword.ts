/**
 * `keyword`, `wildcard` and `constant_keyword`: whole strings as terms. Source:
 * `KeywordFieldMapper`, `WildcardFieldMapper`, `ConstantKeywordFieldMapper`.
 */
import type { IndexOptions } from "@orrery/segment";
import {
  javaText,
  illegalArgument,
  OperationError,
  utf8Decode,
  utf8Encode,
  type Json,
} from "@orrery/stdx";
import { none, type Plan } from "../../language/plan.ts";
import type {
  CompiledType,
  CompileInput,
  FieldQueries,
  FieldType,
} from "../../language/field-type.ts";
import { decimal, flag, integer, meta, normalizer, oneOf, text, textOf } from "../parameters.ts";
import { presentText, stringOf } from "./text.ts";

/** Default of `ignore_above`: no limit. */
const MAX_LENGTH = 2_147_483_647;

/** The field type `keyword`. */
export const keywordType: FieldType = {
  sortsAs: "text",
  parameters: {
    index: flag(true),
    doc_values: flag(true),
    store: flag(false),
    null_value: text(null),
    eager_global_ordinals: flag(false, true),
    ignore_above: integer(MAX_LENGTH, true),
    index_options: oneOf(["docs", "freqs"], "docs"),
    norms: flag(false),
    similarity: text(null),
    use_similarity: flag(false, true),
    normalizer: normalizer(),
    split_queries_on_whitespace: flag(false, true),
    boost: decimal(1, true),
    meta,
  },
  compile: compileKeyword,
};

/** The field type `wildcard`, which is indexed as a keyword. */
export const wildcardType: FieldType = {
  sortsAs: "text",
  parameters: {
    null_value: text(null),
    ignore_above: integer(MAX_LENGTH, true),
    normalizer: normalizer(),
    doc_values: { ...flag(true), isAlwaysPrinted: true },
    meta,
  },
  compile: compileKeyword,
};

/** The field type `constant_keyword`. */
export const constantKeywordType: FieldType = {
  sortsAs: "text",
  parameters: { value: text(null) },
  compile: compileConstant,
  check: (name, { value }) => {
    if (value !== undefined) return;
    throw new OperationError({
      type: "parse_exception",
      reason: `Field [${name}] is missing required parameter [value]`,
      status: 400,
    });
  },
};

function compileKeyword({ name, parameters, analysis }: CompileInput): CompiledType {
  const isIndexed = parameters["index"] !== false;
  const hasDocValues = parameters["doc_values"] !== false;
  const normalizerName = javaText(parameters["normalizer"] ?? "default");
  const normal = normalizerName === "default" ? undefined : analysis.normalizer(normalizerName);
  const normalize = (value: string): string => normal?.normalize(value) ?? value;
  const ignoreAbove = Number(parameters["ignore_above"] ?? MAX_LENGTH);
  const nullValue = parameters["null_value"] as string | null | undefined;
  const spec = {
    name,
    type: "keyword",
    index: isIndexed ? (javaText(parameters["index_options"] ?? "docs") as IndexOptions) : "none",
    norms: isIndexed && parameters["norms"] === true,
    docValues: hasDocValues,
    points: false,
  } as const;
  const isKept = isIndexed || hasDocValues;
  return {
    spec,
    values: {
      kind: "terms",
      encode: (value) => utf8Encode(normalize(textOf(value))),
      decode: utf8Decode,
    },
    index: (value, sink) => {
      const string = stringOf(value, sink);
      if (isKept && string.length <= ignoreAbove)
        sink.add(spec, normal === undefined ? string : normal.normalize(string, sink.growth));
    },
    nullValue: nullValue ?? undefined,
    normalize,
    present: (value) => {
      const shown = presentText(value);
      if (typeof shown !== "string" || shown.length > ignoreAbove) return undefined;
      return normalize(shown);
    },
    hasConstantTermScore: parameters["use_similarity"] !== true,
    text: "whole",
    isCollapsible: true,
    isIndexed,
    hasDocValues,
  };
}

function compileConstant({ name, parameters }: CompileInput): CompiledType {
  const constant = javaText(parameters["value"]);
  const spec = {
    name,
    type: "keyword",
    index: "docs",
    norms: false,
    docValues: true,
    points: false,
  } as const;
  return {
    spec,
    values: {
      kind: "terms",
      encode: (value: Json) => utf8Encode(textOf(value)),
      decode: utf8Decode,
    },
    index: (value, sink) => {
      const string = stringOf(value, sink);
      if (string !== constant) {
        throw illegalArgument(
          `constant keyword field [${name}] must have a value of [${constant}]`,
        );
      }
      sink.add(spec, string);
    },
    present: presentText,
    hasConstantTermScore: true,
    text: "whole",
    isCollapsible: true,
    queries: constantQueries(constant),
    isIndexed: true,
    hasDocValues: true,
  };
}

/**
 * Queries on a constant: all documents of the index have the value, also those that do not contain
 * it.
 */
function constantQueries(constant: string): FieldQueries {
  const allIf = (isMatch: boolean, boost: number): Plan =>
    isMatch ? { kind: "all", boost } : none("another constant");
  return {
    anyOf: (_, values, boost) =>
      allIf(
        values.some((value) => textOf(value) === constant),
        boost,
      ),
    pattern: (matches, boost) => allIf(matches(constant), boost),
    exists: (boost) => ({ kind: "all", boost }),
  };
}
