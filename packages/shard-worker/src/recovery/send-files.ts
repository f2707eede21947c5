/**
 * Phase 1's files in chunks: `indices.recovery.max_concurrent_file_chunks` at a time, at most
 * `indices.recovery.max_bytes_per_sec` (`RecoverySourceHandler.sendFiles`, `RateLimiter`).
 */
import { delay } from "@orrery/ports";
import { actions, FileChunkRequest } from "@orrery/protocol";
import { chunksOf, throttleMs, type FileChunk, type StoredFile } from "@orrery/replication";
import { guarded } from "../engine/failure.ts";
import { recoverySettings } from "./settings.ts";
import { sendStep } from "./send-step.ts";
import type { OutgoingRecovery } from "./source.ts";

/**
 * Sends all files; resolves when the target has answered every chunk. The first failure rejects, and the caller ends
 * the recovery.
 */
export async function sendFiles(
  recovery: OutgoingRecovery,
  files: readonly StoredFile[],
): Promise<void> {
  const { worker } = recovery.copy;
  const settings = recoverySettings(worker.state);
  const chunks = chunksOf(files, settings.chunkBytes);
  const startedMs = worker.clock.monotonicMs();
  let sentBytes = 0;
  let next = 0;
  const sendRest = async (): Promise<void> => {
    for (;;) {
      const chunk = chunks[next];
      if (chunk === undefined) return;
      next += 1;
      sentBytes += chunk.length;
      // The time at which the bytes before this chunk are sent at the allowed rate. The rate is of one recovery, not
      // of the node.
      const dueMs = startedMs + throttleMs(sentBytes - chunk.length, settings.bytesPerSecond);
      const waitMs = dueMs - worker.clock.monotonicMs();
      if (waitMs > 0) {
        recovery.throttledMs += waitMs;
        recovery.copy.counters.recoveryThrottleMs += waitMs;
        await delay(worker.clock, waitMs);
      }
      await sendChunk(recovery, chunk);
    }
  };
  await Promise.all(Array.from({ length: settings.concurrentChunks }, sendRest));
}

async function sendChunk(recovery: OutgoingRecovery, chunk: FileChunk): Promise<void> {
  const { copy, engine, header } = recovery;
  const { name, offset, length, isLast } = chunk;
  const content = guarded(engine, () =>
    copy.worker.disk.read(`${copy.paths.index}/${name}`, { offset, length }),
  );
  const payload = FileChunkRequest.encode({
    header,
    name,
    offset,
    content,
    isLast,
    sourceThrottleMs: Math.round(recovery.throttledMs),
  }).finish();
  await sendStep(recovery, actions.recoverFileChunk, payload);
}
