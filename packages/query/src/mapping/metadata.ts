/**
 * Metadata fields: how they are indexed and read. `_id` and `_index` have no terms; their queries
 * are answered by the segment and by the name of the index.
 */
import { illegalArgument, matchesGlob, utf8Decode, utf8Encode } from "@orrery/stdx";
import { createIdKey, type FieldSpec } from "@orrery/segment";
import { none } from "../language/plan.ts";
import type { CompiledType, FieldQueries, NumberValues } from "../language/field-type.ts";
import { textOf } from "./parameters.ts";
import { longType } from "./types/number.ts";
import { createAnalysis } from "@orrery/analysis";

/** The field `_routing`. A document has it if it was indexed with a routing value. */
export const ROUTING: FieldSpec = keyword("_routing", false);
/** The field `_ignored`: names of the fields whose malformed values were ignored. */
export const IGNORED: FieldSpec = keyword("_ignored", true);
/** The field `_nested_path`: the path of a nested document. Root documents lack it. */
export const NESTED_PATH: FieldSpec = keyword("_nested_path", false);

function keyword(name: string, docValues: boolean): FieldSpec {
  return { name, type: "keyword", index: "docs", norms: false, docValues, points: false };
}

/** The compiled type of a metadata field. */
export function metadataField(name: string): CompiledType {
  const isNumber = name === "_seq_no" || name === "_version" || name === "_primary_term";
  if (isNumber) {
    return {
      spec: {
        name,
        type: "long",
        index: "none",
        norms: false,
        docValues: true,
        points: name === "_seq_no",
      },
      values: longValues(),
      index: () => {},
      hasConstantTermScore: true,
      queries: EVERYWHERE,
      isIndexed: name === "_seq_no",
      hasDocValues: true,
    };
  }
  const spec = name === "_routing" ? ROUTING : name === "_ignored" ? IGNORED : keyword(name, false);
  return {
    spec,
    values: { kind: "terms", encode: (value) => utf8Encode(textOf(value)), decode: utf8Decode },
    index: () => {},
    hasConstantTermScore: true,
    ...(name === "_id" ? { queries: idQueries } : {}),
    ...(name === "_index" ? { queries: indexQueries } : {}),
    isIndexed: true,
    hasDocValues: spec.docValues,
  };
}

/** Every document has a value. */
const EVERYWHERE: FieldQueries = { exists: (boost) => ({ kind: "all", boost }) };

const idQueries: FieldQueries = {
  ...EVERYWHERE,
  anyOf: (_, values, boost) => ({
    kind: "ids",
    ids: values.map((value) => createIdKey(textOf(value))),
    boost,
  }),
  range: refuseRange("_id"),
};

const indexQueries: FieldQueries = {
  ...EVERYWHERE,
  anyOf: ({ searcher }, values, boost) => {
    const { index } = searcher.view;
    return values.some((value) => matchesGlob(textOf(value), index))
      ? { kind: "all", boost }
      : none(`the index is not [${values.map(textOf).join(", ")}]`);
  },
  range: refuseRange("_index"),
};

function refuseRange(name: string): () => never {
  return () => {
    throw illegalArgument(`Field [${name}] of type [${name}] does not support range queries`);
  };
}

/** The numbers of a `long` field. */
function longValues(): NumberValues {
  const { values } = longType.compile({
    name: "_seq_no",
    type: "long",
    parameters: { index: true, doc_values: true, coerce: true },
    analysis: createAnalysis({}),
    ignoreMalformedDefault: false,
    coerceDefault: true,
  });
  if (values.kind !== "numbers") throw new TypeError("long values are numbers");
  return values;
}
