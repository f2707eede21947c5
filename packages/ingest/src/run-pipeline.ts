/**
 * A document's way through a pipeline: one processor after the other, failures to their handlers, pipelines within pipelines.
 *
 * Long work rests between two processors. Source: `Pipeline.execute`, `CompoundProcessor`, `IngestDocument.executePipeline`.
 */
import type { RequestContext, Turns } from "@orrery/ports";
import { fail, OperationError, problemOf, type Problem } from "@orrery/stdx";
import type { IngestDocument } from "./document.ts";
import type { Pipeline, Step } from "./pipeline.ts";
import type { ProcessorRun, Verdict } from "./processor-type.ts";

/** Input of a run from the request that it belongs to. */
export interface RunInput {
  readonly context: RequestContext;
  readonly turns: Turns;
  /** Throws for a definition that this node cannot compile. */
  pipeline(id: string): Pipeline | undefined;
  /** Told of what a processor of this type threw that is no problem; the document fails with a neutral one. */
  readonly onUnforeseen?: ((type: string, thrown: unknown) => void) | undefined;
}

/** Processors that may run on one document: pipelines that call others twice each are exponential. */
const MOST_STEPS = 100_000;

/** Rejects with `OperationError`: the problem of the processor that failed. */
export async function runPipeline(
  pipeline: Pipeline,
  document: IngestDocument,
  input: RunInput,
): Promise<Verdict> {
  try {
    return await new Run(document, input).through(pipeline);
  } catch (error) {
    if (error instanceof ProcessorFailure) return fail(error.problem);
    throw error;
  }
}

/** A failure on its way out, with the innermost processor that it is of. */
class ProcessorFailure extends Error {
  override readonly name = "ProcessorFailure";
  readonly problem: Problem;
  readonly step: Step;
  /** The pipeline that the processor belongs to, where another one called it. */
  readonly pipeline: string | undefined;

  constructor(problem: Problem, step: Step, pipeline: string | undefined) {
    super(problem.type);
    this.problem = problem;
    this.step = step;
    this.pipeline = pipeline;
  }
}

class Run implements ProcessorRun {
  readonly context: RequestContext;
  private readonly document: IngestDocument;
  private readonly input: RunInput;
  /** Pipelines under way, the innermost last. */
  private readonly stack: string[] = [];
  private steps = 0;

  constructor(document: IngestDocument, input: RunInput) {
    this.context = input.context;
    this.document = document;
    this.input = input;
  }

  async runPipeline(id: string): Promise<Verdict> {
    const pipeline = this.input.pipeline(id);
    if (pipeline === undefined) {
      const reason = `Pipeline processor configured for non-existent pipeline [${id}]`;
      return fail(illegalState(reason));
    }
    // Pipelines in each other do not lie on the stack of calls.
    await Promise.resolve();
    return this.through(pipeline);
  }

  async through(pipeline: Pipeline): Promise<Verdict> {
    const { id, processors, onFailure } = pipeline;
    if (this.stack.includes(id)) fail(illegalState(`Cycle detected for pipeline: ${id}`));
    this.stack.push(id);
    this.document.note("pipeline", id);
    try {
      return await this.all(processors, onFailure, false);
    } finally {
      this.stack.pop();
      this.document.note("pipeline", this.stack.at(-1));
    }
  }

  /** Processors that share handlers of their failures. */
  private async all(
    steps: readonly Step[],
    onFailure: readonly Step[],
    ignoresFailure: boolean,
  ): Promise<Verdict> {
    for (const step of steps) {
      try {
        if ((await this.one(step)) === "dropped") return "dropped";
      } catch (error) {
        const failure = this.failureOf(error, step);
        if (ignoresFailure) continue;
        if (onFailure.length === 0) throw failure;
        return this.handle(failure, onFailure);
      }
    }
    return "kept";
  }

  private async one(step: Step): Promise<Verdict> {
    const { ignoresFailure, onFailure } = step;
    if (ignoresFailure || onFailure.length > 0) {
      const bare = { ...step, ignoresFailure: false, onFailure: [] };
      return this.all([bare], onFailure, ignoresFailure);
    }
    this.steps += 1;
    if (this.steps > MOST_STEPS) fail(tooManySteps());
    if (this.input.turns.isOver()) await this.input.turns.rest();
    return step.processor.process(this.document, this);
  }

  private async handle(failure: ProcessorFailure, onFailure: readonly Step[]): Promise<Verdict> {
    const { document } = this;
    const { problem, step, pipeline } = failure;
    const notes = {
      on_failure_message: rootOf(problem).reason ?? "",
      on_failure_processor_type: step.type,
      on_failure_processor_tag: step.tag,
      on_failure_pipeline: pipeline,
    };
    for (const [name, value] of Object.entries(notes)) document.note(name, value);
    try {
      return await this.all(onFailure, [], false);
    } finally {
      for (const name of Object.keys(notes)) document.note(name, undefined);
    }
  }

  private failureOf(error: unknown, step: Step): ProcessorFailure {
    if (error instanceof ProcessorFailure) return error;
    if (!(error instanceof OperationError)) this.input.onUnforeseen?.(step.type, error);
    const pipeline = this.stack.length > 1 ? this.stack.at(-1) : undefined;
    return new ProcessorFailure(problemOf(error), step, pipeline);
  }
}

function rootOf(problem: Problem): Problem {
  let at = problem;
  while (at.causedBy !== undefined) at = at.causedBy;
  return at;
}

function illegalState(reason: string): Problem {
  return { type: "illegal_state_exception", reason, status: 500 };
}

function tooManySteps(): Problem {
  return illegalState(`more than [${MOST_STEPS}] processors would run on one document`);
}
