/**
 * Builds a follower's primary from files of the leader's, which appear as a snapshot in a repository. A failed
 * attempt is repeated, from a newer commit if necessary, as long as the copy is assigned. Source:
 * `RemoteClusterRepository`, `RemoteClusterMultiChunkTransfer`.
 */
import { delay } from "@orrery/ports";
import {
  decodeCommit,
  enterStage,
  IncomingFiles,
  noteFiles,
  startWithHistoryOf,
  type ShardCopy,
  type SnapshotSource,
} from "@orrery/shard-worker";
import { newUuid, OperationError } from "@orrery/stdx";
import { actions } from "../actions.ts";
import { aliasOfRepository, leaseId, leaseSource } from "../names.ts";
import { isTransient, problemIn } from "../problems.ts";
import { followerSettings } from "../settings.ts";
import { askRemoteShard, type RemoteShard } from "./remote.ts";
import {
  CloseFilesRequest,
  OpenFilesRequest,
  OpenFilesResponse,
  ReadFileRequest,
  ReadFileResponse,
} from "../messages.ts";

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

/** Restores the copy. Rejects for a permanent problem, or when the copy is closed. */
export async function restoreFromRemote(copy: ShardCopy, source: SnapshotSource): Promise<void> {
  const remote: RemoteShard = {
    alias: aliasOfRepository(source.repository) ?? "",
    index: source.index,
    shard: copy.shard,
  };
  enterStage(copy, "INDEX");
  for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
    try {
      await attempt(copy, remote);
      return;
    } catch (error) {
      const problem = problemIn(error);
      if (isClosed(copy) || !isTransient(problem)) throw error;
      copy.worker.log(
        "warn",
        `[${copy.index}][${copy.shard}] restoring from [${remote.alias}:${remote.index}] again: ${problem.reason}`,
      );
    }
    await delay(copy.worker.clock, waitMs);
    if (isClosed(copy)) throw new OperationError(closed(copy));
  }
}

async function attempt(copy: ShardCopy, remote: RemoteShard): Promise<void> {
  const { worker, paths } = copy;
  const session = newUuid(worker.random);
  const opened = await openSession(copy, remote, session);
  const onNode = { ...remote, nodeId: opened.nodeId };
  try {
    if (isClosed(copy)) throw new OperationError(closed(copy));
    for (const folder of [paths.index, paths.translog, paths.state]) worker.disk.remove(folder);
    copy.recovery.files.clear();
    noteFiles(copy.recovery, opened.files, false);
    const files = new IncomingFiles(copy);
    files.expect(opened.files);
    await fetchAll(copy, opened.files, async (name, offset, length) => {
      const request = ReadFileRequest.encode({ session, name, offset, length }).finish();
      const answer = await askRemoteShard(worker, actions.readFile, onNode, request);
      if (!isClosed(copy)) files.add(name, offset, ReadFileResponse.decode(answer).content);
    });
    await files.complete(() => isClosed(copy));
  } finally {
    const request = CloseFilesRequest.encode({ session }).finish();
    // The leader closes an idle session by itself.
    void askRemoteShard(worker, actions.closeFiles, onNode, request).catch(problemIn);
  }
  if (isClosed(copy)) throw new OperationError(closed(copy));
  enterStage(copy, "VERIFY_INDEX");
  enterStage(copy, "TRANSLOG");
  copy.recovery.operationsTotal = 0;
  copy.recovery.operationsTotalOnStart = 0;
  await startWithHistoryOf(copy, decodeCommit(opened.commit, "commit of the leader"));
  enterStage(copy, "FINALIZE");
}

async function openSession(
  copy: ShardCopy,
  remote: RemoteShard,
  session: string,
): Promise<OpenFilesResponse> {
  const { state } = copy.worker;
  if (state === undefined) throw new OperationError(closed(copy));
  const lease = {
    id: leaseId(state, copy.index, copy.shard),
    retainingSeqNo: -1,
    source: leaseSource(state),
  };
  const request = OpenFilesRequest.encode({ session, lease }).finish();
  return OpenFilesResponse.decode(
    await askRemoteShard(copy.worker, actions.openFiles, remote, request),
  );
}

/** Fetches all files in chunks, a few of them concurrently. */
async function fetchAll(
  copy: ShardCopy,
  files: OpenFilesResponse["files"],
  fetch: (name: string, offset: number, length: number) => Promise<void>,
): Promise<void> {
  const { state } = copy.worker;
  if (state === undefined) return;
  const { chunkBytes, concurrentChunks } = followerSettings(state);
  const chunks = files.flatMap(({ name, sizeBytes }) =>
    Array.from({ length: Math.max(1, Math.ceil(sizeBytes / chunkBytes)) }, (_, i) => {
      const offset = i * chunkBytes;
      return { name, offset, length: Math.min(chunkBytes, sizeBytes - offset) };
    }),
  );
  let next = 0;
  const fetchRest = async (): Promise<void> => {
    for (;;) {
      const chunk = chunks[next];
      if (chunk === undefined || isClosed(copy)) return;
      next += 1;
      await fetch(chunk.name, chunk.offset, chunk.length);
    }
  };
  await Promise.all(Array.from({ length: concurrentChunks }, fetchRest));
}

function isClosed(copy: ShardCopy): boolean {
  return copy.state === "CLOSED" || copy.worker.isStopped;
}

function closed(copy: ShardCopy): OperationError["problem"] {
  const reason = `[${copy.index}][${copy.shard}] is closed`;
  return { type: "index_shard_closed_exception", reason, status: 500 };
}
