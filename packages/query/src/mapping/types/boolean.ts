/**
 * `boolean`: the terms `F` and `T`, as in Lucene, which `term` queries score by BM25. Source:
 * `BooleanFieldMapper`.
 */
import { type OperationError, illegalArgument, utf8Encode, type Json } from "@orrery/stdx";
import type { JsonTree } from "../../json/exact-json.ts";
import type {
  CompiledType,
  CompileInput,
  DocumentSink,
  FieldType,
} from "../../language/field-type.ts";
import { decimal, flag, meta, parseBoolean, textOf } from "../parameters.ts";
import { coercionFailure, tokenName } from "./coercion.ts";

const TRUE = utf8Encode("T");
const FALSE = utf8Encode("F");

/** The field type `boolean`. */
export const booleanType: FieldType = {
  sortsAs: "integers",
  parameters: {
    meta,
    boost: decimal(1, true),
    doc_values: flag(true),
    index: flag(true),
    null_value: { fallback: null, canUpdate: false, parse: parseBoolean },
    store: flag(false),
  },
  compile: compileBoolean,
};

function compileBoolean({ name, parameters }: CompileInput): CompiledType {
  const isIndexed = parameters["index"] === true;
  const hasDocValues = parameters["doc_values"] === true;
  const spec = {
    name,
    type: "keyword",
    index: isIndexed ? "docs" : "none",
    norms: false,
    docValues: hasDocValues,
    points: false,
  } as const;
  return {
    spec,
    values: {
      kind: "terms",
      format: "boolean",
      encode: (value) => (queryBoolean(value) ? TRUE : FALSE),
      decode: (term) => term[0] === 84,
    },
    index: (value, sink) => {
      const isTrue = booleanOf(value, sink);
      if (isIndexed || hasDocValues) sink.add(spec, isTrue ? "T" : "F");
    },
    nullValue: (parameters["null_value"] as boolean | null) ?? undefined,
    present: (value) =>
      typeof value === "boolean"
        ? value
        : value === "true"
          ? true
          : value === "false" || value === ""
            ? false
            : undefined,
    isIndexed,
    hasDocValues,
  };
}

/** The value of a document; an empty text is false. */
function booleanOf(value: JsonTree, sink: DocumentSink): boolean {
  if (typeof value === "boolean") return value;
  if (value === "true") return true;
  if (value === "false" || value === "") return false;
  if (typeof value === "string") throw notBoolean(value);
  throw coercionFailure(`Current token (${tokenName(value)}) not of boolean type`, sink);
}

/**
 * The value of a query.
 * @throws OperationError 400
 */
function queryBoolean(value: Json): boolean {
  const word = textOf(value);
  switch (word) {
    case "true":
      return true;
    case "false":
    case "":
      return false;
    default:
      throw illegalArgument(`Can't parse boolean value [${word}], expected [true] or [false]`);
  }
}

function notBoolean(value: string): OperationError {
  return illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
}
