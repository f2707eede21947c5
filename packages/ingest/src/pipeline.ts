/**
 * A compiled pipeline: processors with their failure handlers, and the handlers of the pipeline. Source:
 * `Pipeline.create`, `ConfigurationUtils.readProcessor`.
 */
import { fail, OperationError, type Problem } from "@orrery/stdx";
import { aboutProcessor, configurationProblem, Options } from "./options.ts";
import type { Processor, ProcessorTypes } from "./processor-type.ts";
import { classCast, isTreeObject, javaTypeOf, renderedText, type Tree } from "./tree.ts";

/** A compiled pipeline, immutable and shared by concurrent runs. */
export interface Pipeline {
  readonly id: string;
  readonly processors: readonly Step[];
  /** Handlers for a failure that the processor does not handle; empty: the document fails. */
  readonly onFailure: readonly Step[];
}

/** A processor with its failure handling. */
export interface Step {
  readonly type: string;
  readonly tag: string | undefined;
  readonly processor: Processor;
  /** Whether a failure is ignored: no handler runs, and the pipeline continues with the next processor. */
  readonly ignoresFailure: boolean;
  readonly onFailure: readonly Step[];
}

/**
 * Compiles a definition. Throws `OperationError` if it is invalid: for several invalid processors the problem of the
 * first, with the others as suppressed problems.
 */
export function createPipeline(
  id: string,
  definition: { readonly [key: string]: Tree },
  types: ProcessorTypes,
): Pipeline {
  const options = new Options(definition);
  options.optionalText("description");
  checkVersion(options.take("version"));
  const processors = stepsOf(options.list("processors"), types);
  const handlers = options.optionalList("on_failure");
  const onFailure = stepsOf(handlers ?? [], types);
  const rest = options.rest();
  if (rest.length > 0)
    fail(configurationProblem(undefined, notSupported(`pipeline [${id}]`, rest)));
  if (handlers !== undefined && onFailure.length === 0) {
    const reason = `pipeline [${id}] cannot have an empty on_failure option defined`;
    fail(configurationProblem(undefined, reason));
  }
  return { id, processors, onFailure };
}

function checkVersion(version: Tree | undefined): void {
  if (version === undefined || javaTypeOf(version) === "java.lang.Integer") return;
  if (typeof version === "string" && /^[+-]?\d{1,9}$/.test(version)) return;
  const reason = `property cannot be converted to an int [${renderedText(version)}]`;
  fail(configurationProblem("version", reason));
}

function notSupported(what: string, names: readonly string[]): string {
  return `${what} doesn't support one or more provided configuration parameters [${names.join(", ")}]`;
}

/** Compiles all processors; throws the first problem, with the others as suppressed ones. */
function stepsOf(definitions: readonly Tree[], types: ProcessorTypes): Step[] {
  const problems: Problem[] = [];
  const steps: Step[] = [];
  for (const definition of definitions) {
    if (definition === null) fail(configurationProblem("processors", "holds null"));
    if (!isTreeObject(definition)) fail(classCast(definition, "java.util.Map"));
    for (const [type, options] of Object.entries(definition)) {
      try {
        steps.push(stepOf(type, options, types));
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        problems.push(error.problem);
      }
    }
  }
  const [first, ...suppressed] = problems;
  if (first === undefined) return steps;
  return fail(suppressed.length === 0 ? first : { ...first, suppressed });
}

function stepOf(type: string, definition: Tree, types: ProcessorTypes): Step {
  if (definition === null) {
    const reason = `the config of processor [${type}] cannot be null`;
    return failAbout(configurationProblem(undefined, reason), type, undefined);
  }
  if (!isTreeObject(definition)) {
    const reason = `property isn't a map, but of type [${javaTypeOf(definition)}]`;
    return failAbout(configurationProblem(undefined, reason), type, undefined);
  }
  const options = new Options(definition);
  const tag = options.optionalText("tag");
  options.optionalText("description");
  const ignoresFailure = options.flag("ignore_failure", false);
  if (options.take("if") !== undefined) {
    const reason = "conditions are not supported, as there are no scripts yet";
    failAbout(configurationProblem("if", reason), type, tag);
  }
  const row = types.get(type);
  if (row === undefined) {
    const reason = `No processor type exists with name [${type}]`;
    return failAbout(configurationProblem(undefined, reason), type, tag);
  }
  const handlers = options.optionalList("on_failure");
  if (handlers?.length === 0) {
    const reason = "processors list cannot be empty";
    failAbout(configurationProblem("on_failure", reason), type, tag);
  }
  const onFailure = stepsOf(handlers ?? [], types);
  try {
    const processor = row.create(options);
    const rest = options.rest();
    if (rest.length > 0)
      fail(configurationProblem(undefined, notSupported(`processor [${type}]`, rest)));
    return { type, tag, processor, ignoresFailure, onFailure };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return fail(aboutProcessor(error, type, tag));
  }
}

function failAbout(problem: Problem, type: string, tag: string | undefined): never {
  return fail(aboutProcessor(new OperationError(problem), type, tag));
}
