/**
 * A processor type is a row: a name, and a factory that makes a processor from options. The rows of core and plugins
 * are composed once. Source: `Processor`, `Processor.Factory`.
 */
import type { RequestContext } from "@orrery/ports";
import { assert } from "@orrery/stdx";
import type { IngestDocument } from "./document.ts";
import type { Options } from "./options.ts";

/** A type of processor: its name, and the factory of its processors. */
export interface ProcessorType {
  /** Name of the type in pipeline definitions. */
  readonly type: string;
  /** Makes a processor. Throws `OperationError` for invalid options; options that it does not read are rejected by the caller. */
  create(options: Options): Processor;
}

/** Outcome of a processor. `dropped`: the document is not indexed, and no further processor runs. */
export type Verdict = "kept" | "dropped";

/** A configured processor. It keeps no state between documents. */
export interface Processor {
  /** Modifies the document in place. Throws `OperationError` to fail the document. */
  process(document: IngestDocument, run: ProcessorRun): Verdict | Promise<Verdict>;
}

/** The environment in which a processor runs on a document. */
export interface ProcessorRun {
  /** Context of the request that writes the document. */
  readonly context: RequestContext;
  /** Runs another pipeline on the same document. Rejects when it does not exist or is already running on it (a cycle). */
  runPipeline(id: string): Promise<Verdict>;
}

/** Processor types by name. */
export type ProcessorTypes = ReadonlyMap<string, ProcessorType>;

/** Composes the rows. Two rows of the same name are a programming error. */
export function composeProcessors(rows: readonly ProcessorType[]): ProcessorTypes {
  const types = new Map(rows.map((row) => [row.type, row]));
  assert(types.size === rows.length, "two processor types have one name");
  return types;
}
