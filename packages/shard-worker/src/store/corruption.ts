/** A stored file differs from what was written: the copy fails, the process does not. */
import type { Problem } from "@orrery/stdx";

/** The error of a damaged file of a copy, with the product's problem (`CorruptIndexException`, `TranslogCorruptedException`). */
export class CorruptStoreError extends Error {
  override readonly name = "CorruptStoreError";
  readonly problem: Problem;

  constructor(type: "corrupt_index_exception" | "translog_corrupted_exception", reason: string) {
    super(reason);
    this.problem = { type, reason, status: 500 };
  }
}
