/**
 * Compiled pipelines of a cluster state: a definition is compiled at its first use and kept until it changes.
 *
 * A definition that this node cannot compile, because it lacks a plugin, fails the documents that use it. Source:
 * `IngestService.innerUpdatePipelines`.
 */
import { fail, OperationError, utf8Encode } from "@orrery/stdx";
import { createPipeline, type Pipeline } from "./pipeline.ts";
import type { ProcessorTypes } from "./processor-type.ts";
import { readMap } from "./tree.ts";

/** Definitions as JSON text, by pipeline id. */
export type Definitions = ReadonlyMap<string, string>;

/**
 * The table of one node. Entries are keyed by the identity of the definitions map, so a new cluster state with the
 * same definitions reuses them.
 */
export class PipelineTable {
  readonly types: ProcessorTypes;
  private readonly compiled = new WeakMap<Definitions, Map<string, Pipeline | OperationError>>();

  constructor(types: ProcessorTypes) {
    this.types = types;
  }

  /** The compiled pipeline; `undefined` when none has this id. Throws `OperationError` when the definition does not compile. */
  get(definitions: Definitions, id: string): Pipeline | undefined {
    const definition = definitions.get(id);
    if (definition === undefined) return undefined;
    let known = this.compiled.get(definitions);
    if (known === undefined) this.compiled.set(definitions, (known = new Map()));
    let pipeline = known.get(id);
    if (pipeline === undefined) known.set(id, (pipeline = this.compile(id, definition)));
    if (pipeline instanceof OperationError) throw pipeline;
    return pipeline;
  }

  private compile(id: string, definition: string): Pipeline | OperationError {
    try {
      return createPipeline(id, readMap(utf8Encode(definition)), this.types);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      const { type, reason } = error.problem;
      const text = `pipeline with id [${id}] could not be loaded, caused by [${type}: ${reason}]`;
      return new OperationError({ type: "illegal_state_exception", reason: text, status: 500 });
    }
  }
}

/** Throws the error of a document whose pipeline does not exist. */
export function pipelineMissing(id: string): never {
  const reason = `pipeline with id [${id}] does not exist`;
  return fail({ type: "illegal_argument_exception", reason, status: 400 });
}
