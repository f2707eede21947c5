/**
 * A processor type is a row: a name, and what makes a processor of its options. The rows of the core and of plugins are composed once.
 * Source: `Processor`, `Processor.Factory`.
 */
import type { RequestContext } from "@orrery/ports";
import { assert } from "@orrery/stdx";
import type { IngestDocument } from "./document.ts";
import type { Options } from "./options.ts";

export interface ProcessorType {
  /** The name in definitions of pipelines. */
  readonly type: string;
  /** Throws `OperationError` for options that it refuses; options that it has not read are refused after it. */
  create(options: Options): Processor;
}

/** `dropped`: the document is not indexed, and no further processor sees it. */
export type Verdict = "kept" | "dropped";

export interface Processor {
  /** Changes the document in place. Throws `OperationError` to fail it. */
  process(document: IngestDocument, run: ProcessorRun): Verdict | Promise<Verdict>;
}

/** Input of a processor besides the document. */
export interface ProcessorRun {
  /** Of the request that writes the document. */
  readonly context: RequestContext;
  /** Another pipeline on the same document. Rejects when it does not exist, or is under way already. */
  runPipeline(id: string): Promise<Verdict>;
}

/** Processor types by their names. */
export type ProcessorTypes = ReadonlyMap<string, ProcessorType>;

/** Two rows of one name are a bug of the program that composes them. */
export function composeProcessors(rows: readonly ProcessorType[]): ProcessorTypes {
  const types = new Map(rows.map((row) => [row.type, row]));
  assert(types.size === rows.length, "two processor types have one name");
  return types;
}
