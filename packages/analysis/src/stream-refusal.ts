/**
 * Refusals that Lucene makes when it builds a token stream. OpenSearch builds streams only for analyzers: an invalid
 * part that no analyzer names is accepted, and one that an analyzer names fails that analyzer.
 */
import { OperationError } from "@orrery/stdx";

/** A refusal that the product makes only while it builds a token stream. */
export class StreamRefusal extends OperationError {
  constructor(reason: string) {
    super({ type: "illegal_argument_exception", reason, status: 400 });
  }
}

/** Runs a reader of settings and ignores stream refusals, which belong to the analyzers that name the part. */
export function ignoreStreamRefusal(build: () => void): void {
  try {
    build();
  } catch (error) {
    if (!(error instanceof StreamRefusal)) throw error;
  }
}
