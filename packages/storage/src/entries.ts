/** INV-STORE-1: the entries of a stored log have no gap, so a restart reads one history. */
import type { StoredEntry } from "@orrery/ports";
import { assert } from "@orrery/stdx";

/** Asserts that indexes follow each other: a gap is a bug of the writer. */
export function checkEntries(entries: readonly StoredEntry[]): void {
  for (const [i, { index }] of entries.entries()) {
    const before = entries[i - 1];
    assert(
      before === undefined || before.index + 1 === index,
      `log entry ${index} cannot follow ${before?.index}`,
    );
  }
}
