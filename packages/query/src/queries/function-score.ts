/**
 * `function_score` with `weight`, `field_value_factor`, `random_score`, `script_score` and the
 * decay functions. Source: `FunctionScoreQueryBuilder`.
 */
import {
  jsonNumber,
  forInputString,
  javaText,
  illegalArgument,
  isJsonObject,
  lookup,
  murmur3,
  OperationError,
  parseDuration,
  utf8Encode,
  type Json,
} from "@orrery/stdx";
import { parseDateMath } from "../dates/date-math.ts";
import { dateFormatOf, DEFAULT_DATE_FORMAT } from "../dates/format.ts";
import type { Plan } from "../language/plan.ts";
import { functionPlan, type ScoreFunction } from "../execution/weights/function.ts";
import {
  isNegative,
  BodyError,
  child,
  didYouMean,
  boostOf,
  floatOf,
  items,
  members,
  parsingError,
  scalarText,
  tokenOf,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { BoundScript, Script } from "../language/script.ts";
import { javaDouble } from "../json/json-text.ts";
import { compileScript } from "../scripts/compile-script.ts";
import { scriptLookup } from "../scripts/doc-values.ts";
import { parseScript } from "../scripts/parse-script.ts";
import { buildQuery, fieldOf, shardProblem } from "./query.ts";
import type { BuildContext, ParseInner, Query } from "../language/query.ts";

const SCORE_MODES = ["multiply", "sum", "avg", "first", "max", "min"] as const;
const BOOST_MODES = ["multiply", "replace", "sum", "avg", "max", "min"] as const;

/** Builds a function for one shard. */
type BuildFunction = (context: BuildContext) => Omit<ScoreFunction, "filter" | "weight">;

/** A parsed function; `build` is `undefined` for a weight alone. */
interface FunctionSpec {
  readonly filter: Query | undefined;
  readonly weight: number;
  readonly build: BuildFunction | undefined;
}

/** A parsed query. */
interface Spec {
  query: Query | undefined;
  readonly functions: FunctionSpec[];
  scoreMode: (typeof SCORE_MODES)[number];
  boostMode: (typeof BOOST_MODES)[number];
  maxBoost: number;
  minScore: number | undefined;
}

/**
 * Parses a `function_score` query.
 * @throws BodyError or OperationError 400
 */
export function parseFunctionScore(at: Cursor, parseInner: ParseInner): Query {
  const spec: Spec = {
    query: undefined,
    functions: [],
    scoreMode: "multiply",
    boostMode: "multiply",
    maxBoost: 3.402_823_466_385_288_6e38,
    minScore: undefined,
  };
  let boost = 1;
  let label: string | undefined;
  let single: string | undefined;
  let hasList = false;
  for (const [name, member] of members(at)) {
    if (name === "query") spec.query = parseInner(member);
    else if (name === "functions") {
      if (single !== undefined) throw notBoth(member, `[${single}]`);
      hasList = true;
      for (const item of items(member)) spec.functions.push(parseFunctionItem(item, parseInner));
    } else if (name === "score_mode") spec.scoreMode = modeOf(member, SCORE_MODES, "score");
    else if (name === "boost_mode") spec.boostMode = modeOf(member, BOOST_MODES, "boost");
    else if (name === "max_boost") spec.maxBoost = floatOf(member);
    else if (name === "min_score") spec.minScore = floatOf(member);
    else if (name === "boost") boost = boostOf(member);
    else if (name === "_name") label = scalarText(member);
    else {
      const one: FunctionSpec =
        name === "weight"
          ? { filter: undefined, weight: weightOf(member), build: undefined }
          : { filter: undefined, weight: 1, build: parseFunction(name, member) };
      if (hasList) throw notBoth(member, "[functions] array");
      if (single !== undefined) throw onlyOne(member, single);
      single = name;
      spec.functions.push(one);
    }
  }
  return { boost, label, build: (context, total) => buildFunctionScore(spec, context, total) };
}

function notBoth(at: Cursor, found: string): BodyError {
  return parsingError(
    at,
    `failed to parse [function_score] query. [you can either define [functions] array or a single function, not both. already found ${found}, now encountering [${at.key}].]`,
  );
}

function onlyOne(at: Cursor, found: string): BodyError {
  return parsingError(
    at,
    `failed to parse [function_score] query. already found function [${found}], now encountering [${at.key}]. use [functions] array if you want to define several functions.`,
  );
}

function weightOf(at: Cursor): number {
  const weight = Math.fround(floatOf(at));
  if (isNegative(weight))
    throw illegalArgument("[weight] cannot be negative for a filtering function");
  return weight;
}

function buildFunctionScore(spec: Spec, context: BuildContext, boost: number): Plan {
  const plan: Plan =
    spec.query === undefined ? { kind: "all", boost } : buildQuery(spec.query, context, boost);
  const functions = spec.functions.map((one): ScoreFunction => ({
    filter: one.filter === undefined ? undefined : buildQuery(one.filter, context, 1),
    weight: one.weight,
    open: one.build?.(context).open,
  }));
  const { boostMode, maxBoost, minScore } = spec;
  const [first] = functions;
  // The weight of an only function multiplies its value in any mode; an average would cancel it.
  const isAlone = functions.length === 1 && first?.filter === undefined;
  const scoreMode = isAlone ? "first" : spec.scoreMode;
  const { nestedPath } = context;
  const modes = { scoreMode, boostMode, maxBoost, minScore };
  return functionPlan({ plan, functions, ...modes, boost, nestedPath });
}

/** One item of `functions`. */
function parseFunctionItem(at: Cursor, parseInner: ParseInner): FunctionSpec {
  let filter: Query | undefined;
  let weight = 1;
  let build: BuildFunction | undefined;
  let found: string | undefined;
  for (const [name, member] of members(at)) {
    if (name === "filter") filter = filterOf(member, parseInner);
    else if (name === "weight") weight = weightOf(member);
    else if (found === undefined) {
      build = parseFunction(name, member);
      found = name;
    } else {
      throw parsingError(
        member,
        `failed to parse function_score functions. already found [${found}], now encountering [${name}].`,
      );
    }
  }
  return { filter, weight, build };
}

/** The filter of a function; `undefined` for `match_all`: the function is then one without a filter. */
function filterOf(at: Cursor, parseInner: ParseInner): Query | undefined {
  const filter = parseInner(at);
  return isJsonObject(at.json) && at.json["match_all"] !== undefined ? undefined : filter;
}

function modeOf<T extends string>(at: Cursor, modes: readonly T[], what: string): T {
  const word = scalarText(at);
  const mode = modes.find((candidate) => candidate === word);
  if (mode === undefined) throw illegalArgument(`illegal ${what}_mode [${word}]`);
  return mode;
}

/** Functions by their names in a request. */
const FUNCTIONS: Readonly<Record<string, (at: Cursor) => BuildFunction>> = {
  field_value_factor: parseFieldValueFactor,
  random_score: parseRandomScore,
  script_score: parseScriptFunction,
  gauss: (at) =>
    parseDecay(at, (distance, { sigma }) => Math.exp(distance ** 2 / (2 * sigma)), "gauss"),
  exp: (at) => parseDecay(at, (distance, { lambda }) => Math.exp(lambda * distance), "exp"),
  linear: (at) =>
    parseDecay(at, (distance, { slope }) => Math.max(0, (slope - distance) / slope), "linear"),
};

/** One function. The error for an unknown one names the query, as in the product. */
function parseFunction(name: string, at: Cursor): BuildFunction {
  const parse = lookup(FUNCTIONS, name);
  if (parse !== undefined) return parse(at);
  throw new BodyError(at, "value", (line, col) => ({
    type: "parsing_exception",
    reason: `unknown query [function_score]${didYouMean("function_score", [...Object.keys(FUNCTIONS), "weight"])}`,
    status: 400,
    metadata: { line, col },
    causedBy: {
      type: "named_object_not_found_exception",
      reason: `[${line}:${col}] unknown field [${name}]`,
      status: 400,
    },
  }));
}

// ------------------------------------------------------------------------------------------ field values

/** Modifiers of `field_value_factor`. */
const MODIFIERS: Readonly<Record<string, (value: number) => number>> = {
  none: (value) => value,
  log: Math.log10,
  log1p: (value) => Math.log10(value + 1),
  log2p: (value) => Math.log10(value + 2),
  ln: Math.log,
  ln1p: Math.log1p,
  ln2p: (value) => Math.log1p(value + 1),
  square: (value) => value * value,
  sqrt: Math.sqrt,
  reciprocal: (value) => 1 / value,
};

function parseFieldValueFactor(at: Cursor): BuildFunction {
  const parameters = new Map(members(at));
  const fieldAt = parameters.get("field");
  if (fieldAt === undefined)
    throw parsingError(at, "[field_value_factor] required field 'field' missing", "end");
  const name = scalarText(fieldAt);
  const factorAt = parameters.get("factor");
  const factor = factorAt === undefined ? 1 : Math.fround(floatOf(factorAt));
  const missingAt = parameters.get("missing");
  const missing = missingAt === undefined ? undefined : floatOf(missingAt);
  const modifierAt = parameters.get("modifier");
  const word = modifierAt === undefined ? "none" : scalarText(modifierAt).toLowerCase();
  const modifier = lookup(MODIFIERS, word);
  if (modifier === undefined) throw illegalArgument(`No enum constant for modifier [${word}]`);
  return (context) => {
    const field = fieldOf(context, name);
    if (field === undefined && missing === undefined) {
      throw new OperationError({
        type: "exception",
        reason: `Unable to find a field mapper for field [${name}]. No 'missing' value defined.`,
        status: 500,
      });
    }
    return {
      open: (segment) => {
        const read = segment.numbers(field?.aliasOf ?? name);
        return (doc) => {
          const value = read?.(doc) ?? missing;
          if (value === undefined) {
            throw new OperationError({
              type: "exception",
              reason: `Missing value for field [${name}]`,
              status: 500,
            });
          }
          const result = modifier(value * factor);
          if (!(result >= 0)) {
            throw illegalArgument(
              `field value function must not produce negative scores, but got: [${result}] for field value: [${value}]`,
            );
          }
          return result;
        };
      },
    };
  };
}

/**
 * The product's hash is not followed, so its order of documents differs; equal seeds give equal
 * scores.
 */
function parseRandomScore(at: Cursor): BuildFunction {
  const parameters = new Map(members(at));
  const given = seedOf(parameters.get("seed"));
  const fieldAt = parameters.get("field");
  const fieldName = fieldAt === undefined ? "_seq_no" : scalarText(fieldAt);
  return (context) => {
    // Without a seed the time of the request is one: the same request at another time gives another
    // order.
    const seed = given ?? String(context.nowMs);
    const salt = murmur3(
      utf8Encode(`${seed}\0${context.searcher.view.index}\0${context.searcher.view.shard}`),
    );
    return {
      open: (segment) => {
        const read =
          fieldName === "_seq_no"
            ? (doc: number) => segment.seqNo(doc)
            : segment.numbers(fieldName);
        return (doc) => {
          const hash = murmur3(utf8Encode(String(read?.(doc) ?? 0)), salt);
          return (hash & 0x00ff_ffff) / 0x0100_0000;
        };
      },
    };
  };
}

/** Null and lists are skipped, as by the product's parser. */
function seedOf(at: Cursor | undefined): string | undefined {
  if (at === undefined || at.json === null || Array.isArray(at.json)) return undefined;
  const { json } = at;
  if (typeof json === "string" || typeof json === "bigint") return String(json);
  if (typeof json === "number" && Number.isInteger(json)) return String(json);
  if (typeof json === "object")
    throw parsingError(at, "failed to parse [function_score] query. field [seed] is not supported");
  const wanted = typeof json === "number" ? "int, long or string" : "int/long or string";
  throw parsingError(at, `random_score seed must be an ${wanted}, not '${tokenOf(json)}'`);
}

// ------------------------------------------------------------------------------------------ script_score

function parseScriptFunction(at: Cursor): BuildFunction {
  if (!isJsonObject(at.json))
    throw parsingError(
      at,
      "failed to parse [function_score] query. field [script_score] is not supported",
    );
  let script: Script | undefined;
  for (const [name, member] of members(at)) {
    if (name !== "script")
      throw parsingError(member, `script_score query does not support [${name}]`);
    script = parseScript(member);
  }
  if (script === undefined) throw parsingError(at, "script_score requires 'script' field", "end");
  const given = script;
  return (context) => {
    const bound = bindScript(given, context);
    return { open: (_values, segment) => validScript(bound.open(segment)) };
  };
}

/** A script that cannot be loaded fails the shard with an error around its own. */
function bindScript(script: Script, context: BuildContext): BoundScript<[score: number], number> {
  try {
    return compileScript(context, script, "score").bind(
      script.params,
      scriptLookup(context.searcher),
    );
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const problem = shardProblem(context.searcher, "script_score: the script could not be loaded");
    throw new OperationError({ ...problem, causedBy: error.problem });
  }
}

/** A script on a document and its score. */
type RunScore = (doc: number, score: number) => number;

function validScript(run: RunScore): RunScore {
  return (doc, score) => {
    const value = run(doc, score);
    if (!(value < 0)) return value;
    throw illegalArgument(
      `script score function must not produce negative scores, but got: [${javaDouble(value)}]`,
    );
  };
}

// ------------------------------------------------------------------------------------------ decay

function numberOf(json: Json): number {
  const number = json === "" ? Number.NaN : jsonNumber(json);
  if (!Number.isNaN(number)) return number;
  const reason = forInputString(javaText(json));
  throw new OperationError({ type: "number_format_exception", reason, status: 400 });
}

/** Parameters of the decay functions, derived from `scale` and `decay`. */
interface DecayScale {
  readonly sigma: number;
  readonly lambda: number;
  readonly slope: number;
}

/** The factor at a distance from the origin. */
type Decay = (distance: number, scale: DecayScale) => number;

/** A decay function of a field of numbers or dates; documents without a value have factor 1. */
function parseDecay(at: Cursor, decay: Decay, kind: string): BuildFunction {
  const entry = members(at).find(([name]) => name !== "multi_value_mode");
  if (entry === undefined || !isJsonObject(entry[1].json))
    throw parsingError(at, `malformed score function score parameters.`, "end");
  const [name, body] = entry;
  const get = (key: string): Json | undefined => {
    const value = child(body, key).json;
    return value === null ? undefined : value;
  };
  const decayValue = jsonNumber(get("decay") ?? 0.5);
  if (!(decayValue > 0 && decayValue < 1))
    throw illegalArgument(`${kind} : decay must be in the range (0..1).`);
  const [originJson, scaleJson, offsetJson] = [get("origin"), get("scale"), get("offset") ?? 0];
  return (context) => {
    const field = fieldOf(context, name);
    if (field === undefined)
      throw parsingError(at, `unknown field [${name}]`).toOperationError(undefined);
    const isDate = field.dateFormat !== undefined;
    if (scaleJson === undefined || (!isDate && originJson === undefined))
      throw new OperationError({
        type: "parse_exception",
        reason: `both [origin] and [scale] must be set for numeric fields.`,
        status: 400,
      });
    const number = (json: Json): number =>
      isDate ? (parseDuration(javaText(json)) ?? numberOf(json)) : numberOf(json);
    const origin = isDate
      ? originJson === undefined
        ? context.nowMs
        : parseDateMath(
            javaText(originJson),
            field.dateFormat ?? dateFormatOf(DEFAULT_DATE_FORMAT),
            {
              nowMs: context.nowMs,
            },
          ).ms
      : numberOf(originJson ?? "");
    const scale = number(scaleJson);
    const offset = number(offsetJson);
    const scales: DecayScale = {
      sigma: (0.5 * scale ** 2) / Math.log(decayValue),
      lambda: Math.log(decayValue) / scale,
      slope: scale / (1 - decayValue),
    };
    return {
      open: (segment) => {
        const read = segment.numbers(field.aliasOf ?? name);
        return (doc) => {
          const value = read?.(doc);
          if (value === undefined) return 1;
          return decay(Math.max(0, Math.abs(value - origin) - offset), scales);
        };
      },
    };
  };
}
