/**
 * The script engine of the language `expression`. Source: `ExpressionScriptEngine` of
 * lang-expression.
 */
import { illegalArgument, lookup, OperationError, type JsonObject, type Json } from "@orrery/stdx";
import type {
  BoundScript,
  CompiledScripts,
  FieldValue,
  ScriptContextName,
  ScriptEngine,
  ScriptLookup,
} from "../language/script.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { Decimal } from "../json/printable.ts";
import { compileExpression } from "./evaluate.ts";
import { compileError, linkError, SyntaxFailure } from "./failures.ts";
import { fieldVariable, type OpenVariable } from "./field-variables.ts";
import { parseExpression, type ParsedExpression } from "./parser.ts";

/** The scripts of all contexts but `string_sort`, whose results are not numbers. */
type Offered = Omit<CompiledScripts, "string_sort">;

/** The contexts of `Offered`, as the product lists them. */
const OFFERED = [
  "aggregation_selector",
  "aggs",
  "bucket_aggregation",
  "field",
  "filter",
  "number_sort",
  "score",
  "terms_set",
] as const satisfies readonly (keyof Offered)[];

export const expressionEngine: ScriptEngine = {
  contexts: OFFERED,
  compile: (source, _options, context) => {
    const compiled = compile(source);
    if (isOffered(context)) return scriptsOf(compiled);
    throw illegalArgument(
      `expression engine does not know how to handle script context [${context}]`,
    );
  },
};

function isOffered(context: ScriptContextName): context is keyof Offered {
  return OFFERED.some((offered) => offered === context);
}

/** A compiled expression. Its tree, which is as large as the functions made from it, is dropped. */
interface Compiled extends Omit<ParsedExpression, "root"> {
  readonly compute: ReturnType<typeof compileExpression>;
}

function compile(source: string): Compiled {
  try {
    const { root, variables, cost } = parseExpression(source);
    return { source, variables, cost, compute: compileExpression(root) };
  } catch (error) {
    throw error instanceof SyntaxFailure ? compileError(source, error) : error;
  }
}

/** The arguments of a script besides the document. */
interface Frame {
  score: number;
  value: number;
}

/** The variables that a context defines itself. All other variables are parameters or fields. */
interface OwnVariables {
  readonly _score?: ((frame: Frame) => number) | undefined;
  readonly _value?: ((frame: Frame) => number) | undefined;
}

const readScore = ({ score }: Frame): number => score;
const readValue = ({ value }: Frame): number => value;
/** For variables that the product accepts in a context but never sets. */
const zero = (): number => 0;

function scriptsOf(compiled: Compiled): Offered {
  const inBuckets = bucketScript(compiled);
  return {
    aggregation_selector: (variables) => inBuckets(variables) === 1,
    bucket_aggregation: inBuckets,
    aggs: aggregationScript(compiled),
    field: documentScript(compiled, {}, (number) => new Decimal(number, "double")),
    filter: documentScript(compiled, { _score: zero, _value: zero }, (number) => number !== 0),
    number_sort: documentScript(compiled, { _score: zero }, itself),
    score: scoreScript(compiled),
    terms_set: documentScript(compiled, {}, itself),
  };
}

function scoreScript(compiled: Compiled): CompiledScripts["score"] {
  return {
    bind: (params, lookupOf) => {
      const bound = bind(compiled, { params, lookupOf, own: { _score: readScore, _value: zero } });
      return {
        needsScore: bound.needsScore,
        open: (segment) => {
          const { run, frame } = bound.open(segment);
          return (doc, score) => {
            frame.score = score;
            return run(doc);
          };
        },
      };
    },
  };
}

/** Scripts of `aggs` read `_value`, the current value of the aggregated field. */
function aggregationScript(compiled: Compiled): CompiledScripts["aggs"] {
  return {
    bind: (params, lookupOf) => {
      const own = { _score: readScore, _value: readValue };
      const bound = bind(compiled, { params, lookupOf, own });
      const readsValue = compiled.variables.includes("_value");
      return {
        needsScore: bound.needsScore,
        open: (segment) => {
          const { run, frame } = bound.open(segment);
          let last = -1;
          let result = 0;
          return (doc, score, value) => {
            if (readsValue) numberOf(value);
            // Like the product, which computes the first value of a document and returns it for the
            // others.
            if (last === doc) return result;
            frame.score = score;
            frame.value = readsValue ? numberOf(value) : 0;
            result = run(doc);
            last = doc;
            return result;
          };
        },
      };
    },
  };
}

function numberOf(value: FieldValue): number {
  if (value === undefined) return 0;
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  throw new OperationError({
    type: "general_script_exception",
    reason: `Cannot use expression with text variable using ${COMPILED}`,
    status: 500,
  });
}

/** How Java prints a compiled expression, without its address. */
const COMPILED = "org.apache.lucene.expressions.js.JavascriptCompiler$CompiledExpression";

/** Returns a script whose only argument is the document. */
function documentScript<Result>(
  compiled: Compiled,
  own: OwnVariables,
  resultOf: (number: number) => Result,
): { bind(params: JsonObject, lookupOf: ScriptLookup): DocumentRun<Result> } {
  return {
    bind: (params, lookupOf) => {
      const { open } = bind(compiled, { params, lookupOf, own });
      return {
        needsScore: false,
        open: (segment) => {
          const { run } = open(segment);
          return (doc) => resultOf(run(doc));
        },
      };
    },
  };
}

type DocumentRun<Result> = BoundScript<[], Result>;

function itself(number: number): number {
  return number;
}

/** The parameters, fields and context variables for a compiled expression. */
interface Binding {
  readonly params: JsonObject;
  readonly lookupOf: ScriptLookup;
  readonly own: OwnVariables;
}

/** A bound expression opened on one segment. `frame` is set before `run`. */
interface Opened {
  readonly run: (doc: number) => number;
  readonly frame: Frame;
}

/** A compiled expression with its parameters and fields. */
interface Bound {
  readonly needsScore: boolean;
  open(segment: SegmentContext): Opened;
}

/**
 * Resolves the variables: first those of the context, then parameters, then fields.
 * @throws OperationError `script_exception` with a link error
 */
function bind(compiled: Compiled, { params, lookupOf, own }: Binding): Bound {
  const { variables, cost, compute } = compiled;
  const bound = variables.map((name): BoundVariable => {
    const read = name === "_score" || name === "_value" ? own[name] : undefined;
    if (read !== undefined) return { kind: "own", read };
    return linked(compiled.source, name, () => {
      const given = lookup(params, name);
      if (given === undefined) return { kind: "field", open: fieldVariable(name, lookupOf) };
      return { kind: "constant", value: parameter(name, given) };
    });
  });
  return {
    needsScore: own._score === readScore && variables.includes("_score"),
    open: (segment) => {
      const { budget } = segment;
      const frame: Frame = { score: 0, value: 0 };
      let at = 0;
      const reads = bound.map((variable) => openVariable(variable, { segment, frame }));
      const now = reads.map((read) => () => read(at));
      const run = (doc: number): number => {
        at = doc;
        budget.step(cost);
        return compute(now);
      };
      return { run, frame };
    },
  };
}

/** A variable with the source of its value. */
type BoundVariable =
  | { readonly kind: "own"; readonly read: (frame: Frame) => number }
  | { readonly kind: "constant"; readonly value: number }
  | { readonly kind: "field"; readonly open: OpenVariable };

/** Returns the function that reads a variable for a document. */
function openVariable(
  variable: BoundVariable,
  { segment, frame }: { readonly segment: SegmentContext; readonly frame: Frame },
): (doc: number) => number {
  switch (variable.kind) {
    case "own":
      return () => variable.read(frame);
    case "constant":
      return () => variable.value;
    case "field":
      return variable.open(segment);
  }
}

/** Reports errors of `link` as link errors of the variable. */
function linked<T>(source: string, variable: string, link: () => T): T {
  try {
    return link();
  } catch (error) {
    if (error instanceof SyntaxFailure) throw linkError(source, variable, error);
    if (error instanceof OperationError) throw linkError(source, variable, error.problem);
    throw error;
  }
}

function parameter(name: string, value: Json): number {
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  throw new SyntaxFailure(`Parameter [${name}] must be a numeric type`, 0);
}

/**
 * Variables of the expression without a number are 0. Variables of the bucket that the expression
 * does not use are errors.
 */
function bucketScript({ variables, compute }: Compiled): (given: JsonObject) => number {
  return (given) => {
    const numbers = variables.map(() => 0);
    for (const [name, value] of Object.entries(given)) {
      const index = variables.indexOf(name);
      if (index < 0)
        throw illegalVariable(
          `The variable [${name}] does not exist in the executable expressions script.`,
        );
      if (typeof value !== "number" && typeof value !== "bigint")
        throw illegalVariable(
          `Executable expressions scripts can only process numbers.  The variable [${name}] is not a number.`,
        );
      numbers[index] = Number(value);
    }
    return compute(numbers.map((number) => () => number));
  };
}

function illegalVariable(reason: string): OperationError {
  return illegalArgument(`Error using ${COMPILED}. ${reason}`);
}
