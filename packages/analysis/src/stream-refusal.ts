/**
 * Refusals by token streams of Lucene. OpenSearch builds streams only for analyzers: a part that no analyzer names is not refused, and the
 * refusal of a part that one names is a failure of that analyzer.
 */
import { OperationError } from "@orrery/stdx";

export class StreamRefusal extends OperationError {
  constructor(reason: string) {
    super({ type: "illegal_argument_exception", reason, status: 400 });
  }
}

/** Runs what reads settings; refusals by streams are left to the analyzers that name the part. */
export function ignoreStreamRefusal(build: () => void): void {
  try {
    build();
  } catch (error) {
    if (!(error instanceof StreamRefusal)) throw error;
  }
}
