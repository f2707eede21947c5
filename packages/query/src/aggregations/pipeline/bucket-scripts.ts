/**
 * `bucket_script` and `bucket_selector`: a script computes a number for each bucket of the parent,
 * or decides which buckets stay. Source: `BucketScriptPipelineAggregator`,
 * `BucketSelectorPipelineAggregator`.
 */
import {
  illegalArgument,
  isJsonObject,
  javaText,
  lookup,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { double } from "../../json/json-text.ts";
import { formatDecimal } from "../../json/decimal-format.ts";
import { contentError, members, parsingError, scalarText, tokenOf } from "../../body/cursor.ts";
import type { Cursor } from "../../language/cursor.ts";
import type { Printable } from "../../json/printable.ts";
import type {
  Aggregation,
  AggregationHead,
  PipelineBucket,
  PipelinePlace,
} from "../../language/aggregation.ts";
import type { Script } from "../../language/script.ts";
import { parseScript, scriptField } from "../../scripts/parse-script.ts";
import { definePipeline } from "../define.ts";
import { Options } from "../options.ts";
import { bucketReader, type GapPolicy } from "./buckets-path.ts";

interface ScriptedValue {
  readonly value: number;
}

/** Paths by the names of the script's variables. */
type Paths = ReadonlyMap<string, string>;

/**
 * Parses a `bucket_script` aggregation. A bucket with a gap, or for which the script gives null,
 * has no result.
 */
export function parseBucketScript(head: AggregationHead, at: Cursor): Aggregation {
  const known = ["buckets_path", "script", "gap_policy", "format"];
  const options = new Options(at, head.type, known, true);
  const pathsAt = options.cursor("buckets_path");
  const scriptAt = options.cursor("script");
  const paths = pathsAt && options.read("buckets_path", pathsOf, new Map<string, string>());
  const script = scriptAt && scriptField(scriptAt, head.type);
  const gaps = options.read<GapPolicy>("gap_policy", gapsOf, "skip");
  const format = options.text("format");
  if (paths === undefined || script === undefined) {
    const missing = [
      paths === undefined ? ["buckets_path"] : [],
      script === undefined ? ["script"] : [],
    ];
    throw illegalArgument(`Required [${missing.flat().join(", ")}]`);
  }
  return definePipeline<ScriptedValue>(head, {
    typedName: () => "simple_value",
    metric: (reduced, property) => Number(lookup(reduced, property ?? "value")),
    render: ({ value }) => {
      const json: { [key: string]: Printable } = {
        value: Number.isFinite(value) ? double(value) : null,
      };
      if (format !== undefined && Number.isFinite(value))
        json["value_as_string"] = formatDecimal(value, format);
      return json;
    },
    pipeline: {
      kind: "parent",
      paths: [...paths.values()],
      apply: (buckets, place) => {
        const read = variablesOf(paths, place, { gaps, script });
        const run = place.scripts.compile(script, "bucket_aggregation");
        for (const bucket of buckets) {
          const variables = read(bucket);
          const value = variables === undefined ? null : run(variables);
          if (value !== null) bucket.children[place.index] = { value: Number(value) };
        }
        return [...buckets];
      },
    },
  });
}

/**
 * Parses a `bucket_selector` aggregation. The script is called for buckets with gaps as well, with
 * NaN.
 */
export function parseBucketSelector(head: AggregationHead, at: Cursor): Aggregation {
  let paths: Paths | undefined;
  let script: Script | undefined;
  let gaps: GapPolicy = "skip";
  for (const [name, member] of members(at)) {
    if (name === "buckets_path") paths = pathsOf(member);
    else if (name === "script") script = parseScript(member);
    else if (name === "gap_policy") gaps = gapsOf(member);
    else throw unknownKey(head, name, member);
  }
  if (paths === undefined || script === undefined) {
    const missing = paths === undefined ? "buckets_path" : "script";
    throw parsingError(
      at,
      `Missing required field [${missing}] for bucket_selector aggregation [${head.name}]`,
      "end",
    );
  }
  const spec = { paths, script, gaps };
  return definePipeline<undefined>(head, {
    render: () => ({}),
    pipeline: {
      kind: "parent",
      paths: [...paths.values()],
      apply: (buckets, place) => {
        const read = variablesOf(spec.paths, place, spec);
        const run = place.scripts.compile(spec.script, "aggregation_selector");
        return buckets.filter((bucket) => run(read(bucket, true)));
      },
    },
  });
}

/** Parses `gap_policy`. */
function gapsOf(at: Cursor): GapPolicy {
  const word = scalarText(at);
  if (word === "skip" || word === "insert_zeros") return word;
  throw parsingError(at, `Invalid gap policy: [${word}], accepted values: [insert_zeros, skip]`);
}

/** The product's error for an unknown parameter, by the token of its value. */
function unknownKey({ name }: AggregationHead, key: string, at: Cursor): Error {
  const token = tokenOf(at.json);
  if (token === "VALUE_NUMBER" || token === "VALUE_BOOLEAN" || token === "VALUE_NULL")
    return parsingError(at, `Unexpected token ${token} in [${name}].`);
  return parsingError(at, `Unknown key for a ${token} in [${name}]: [${key}].`);
}

/**
 * An object names the variables; a single path is `_value`, a list `_value0`, `_value1` and so on.
 */
function pathsOf(at: Cursor): Paths {
  const { json } = at;
  if (isJsonObject(json))
    return new Map(members(at).map(([name, member]) => [name, scalarText(member)]));
  if (Array.isArray(json))
    return new Map((json as readonly Json[]).map((path, i) => [`_value${i}`, javaText(path)]));
  if (typeof json === "string") return new Map([["_value", json]]);
  throw contentError(
    at,
    `[${at.parent?.key ?? ""}] buckets_path must be either an array, an object or a string`,
  );
}

/** Variables of a bucket; with `takesGaps` gaps are NaN. */
interface ReadVariables {
  (bucket: PipelineBucket): JsonObject | undefined;
  (bucket: PipelineBucket, takesGaps: true): JsonObject;
}

/**
 * The variables of a bucket, which take precedence over parameters of the script; `undefined`: one
 * is a gap that skips the bucket.
 */
function variablesOf(
  paths: Paths,
  { tree }: PipelinePlace,
  { gaps, script }: { readonly gaps: GapPolicy; readonly script: Script },
): ReadVariables {
  const readers = [...paths].map(([name, path]) => ({
    name,
    read: bucketReader(tree, { path, gaps }),
  }));
  function read(bucket: PipelineBucket): JsonObject | undefined;
  function read(bucket: PipelineBucket, takesGaps: true): JsonObject;
  function read(bucket: PipelineBucket, takesGaps = false): JsonObject | undefined {
    const numbers = readers.map(({ name, read: valueOf }) => [name, valueOf(bucket)] as const);
    const isGap = gaps === "skip" && numbers.some(([, value]) => Number.isNaN(value));
    if (isGap && !takesGaps) return undefined;
    return Object.fromEntries([...Object.entries(script.params), ...numbers]);
  }
  return read;
}
