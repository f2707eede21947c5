/**
 * Execution of a pipeline on a document: processors one after the other, failure handlers, nested pipelines.
 *
 * Long executions yield between two processors. Source: `Pipeline.execute`, `CompoundProcessor`,
 * `IngestDocument.executePipeline`.
 */
import type { RequestContext, Turns } from "@orrery/ports";
import { fail, OperationError, problemOf, type Problem } from "@orrery/stdx";
import type { IngestDocument } from "./document.ts";
import type { Pipeline, Step } from "./pipeline.ts";
import type { ProcessorRun, Verdict } from "./processor-type.ts";

/** Input from the request that a run belongs to. */
export interface RunInput {
  readonly context: RequestContext;
  readonly turns: Turns;
  /**
   * The compiled pipeline of this id; `undefined`: there is none. Throws for a definition that this node cannot
   * compile.
   */
  pipeline(id: string): Pipeline | undefined;
  /**
   * Receives an error that is no `OperationError`, and the processor type that threw it; the document fails with a
   * neutral problem.
   */
  readonly onUnforeseen?: ((type: string, thrown: unknown) => void) | undefined;
}

/** Maximum of processors that run on one document: pipelines that call two others each grow exponentially. */
const MOST_STEPS = 100_000;

/** Runs a pipeline. Rejects with the `OperationError` of a processor whose failure no handler handled. */
export async function runPipeline(
  pipeline: Pipeline,
  document: IngestDocument,
  input: RunInput,
): Promise<Verdict> {
  try {
    return await new Run(document, input).runCompiled(pipeline);
  } catch (error) {
    if (error instanceof ProcessorFailure) return fail(error.problem);
    throw error;
  }
}

/** A failure that is being propagated, with the innermost processor that caused it. */
class ProcessorFailure extends Error {
  override readonly name = "ProcessorFailure";
  readonly problem: Problem;
  readonly step: Step;
  /** Id of the processor's pipeline; `undefined` for the outermost one. */
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
  /** Ids of running pipelines, the innermost last. */
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
    // Nested pipelines must not deepen the call stack.
    await Promise.resolve();
    return this.runCompiled(pipeline);
  }

  async runCompiled(pipeline: Pipeline): Promise<Verdict> {
    const { id, processors, onFailure } = pipeline;
    if (this.stack.includes(id)) fail(illegalState(`Cycle detected for pipeline: ${id}`));
    this.stack.push(id);
    this.document.setIngestMetadata("pipeline", id);
    try {
      return await this.runAll(processors, onFailure, false);
    } finally {
      this.stack.pop();
      this.document.setIngestMetadata("pipeline", this.stack.at(-1));
    }
  }

  /** Runs processors that share failure handlers. */
  private async runAll(
    steps: readonly Step[],
    onFailure: readonly Step[],
    ignoresFailure: boolean,
  ): Promise<Verdict> {
    for (const step of steps) {
      try {
        if ((await this.runOne(step)) === "dropped") return "dropped";
      } catch (error) {
        const failure = this.failureOf(error, step);
        if (ignoresFailure) continue;
        if (onFailure.length === 0) throw failure;
        return this.handle(failure, onFailure);
      }
    }
    return "kept";
  }

  private async runOne(step: Step): Promise<Verdict> {
    const { ignoresFailure, onFailure } = step;
    if (ignoresFailure || onFailure.length > 0) {
      const bare = { ...step, ignoresFailure: false, onFailure: [] };
      return this.runAll([bare], onFailure, ignoresFailure);
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
    for (const [name, value] of Object.entries(notes)) document.setIngestMetadata(name, value);
    try {
      return await this.runAll(onFailure, [], false);
    } finally {
      for (const name of Object.keys(notes)) document.setIngestMetadata(name, undefined);
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
