/** Changes of a copy as a whole, between operations. Those that wait for a refresh are not waited for: it comes at once. */
import { guarded } from "../engine/failure.ts";
import { refresh } from "../engine/refresh.ts";
import type { ShardCopy } from "./shard-copy.ts";

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
