/**
 * Changes of a copy as a whole, between operations: promotion, roll-back, hand-over, the check before an index is
 * closed.
 */
import { guarded } from "../engine/failure.ts";
import { refresh } from "../engine/refresh.ts";
import type { ShardCopy } from "./shard-copy.ts";

/**
 * Runs `run` while no operation holds a permit; operations that arrive meanwhile wait in order and follow. Writes that
 * wait for a refresh hold permits: one external refresh ends their wait, and while `copy.blocks` is above 0 later
 * writes refresh at once (`refreshAfter`).
 */
export async function blockCopy<T>(copy: ShardCopy, run: () => Promise<T>): Promise<T> {
  copy.blocks += 1;
  try {
    const { engine } = copy;
    if (engine !== undefined && engine.refreshListeners.length > 0) {
      guarded(engine, () => refresh(engine, "external"));
    }
    return await copy.permits.blockAll(run);
  } finally {
    copy.blocks -= 1;
  }
}
