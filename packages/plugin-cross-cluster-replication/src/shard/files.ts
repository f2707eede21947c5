/**
 * Serves the files of a leader's primary for the restore of a follower. While a session is open, its commit and the
 * history after it are kept. Source: `RemoteClusterRestoreLeaderService`.
 */
import {
  addLeaseOnPrimary,
  commitToSend,
  encodeCommit,
  engineOf,
  filesOf,
  guarded,
  historyFrom,
  illegalState,
  pinCommit,
  type Commit,
  type EngineState,
  type ShardCopy,
} from "@orrery/shard-worker";
import { emptyBytes, OperationError, type ValueKey } from "@orrery/stdx";
import {
  CloseFilesRequest,
  OpenFilesRequest,
  OpenFilesResponse,
  ReadFileRequest,
  ReadFileResponse,
} from "../messages.ts";

/** Idle time after which a session is closed, because a lost follower does not close it. */
const IDLE_MS = 600_000;

interface Session {
  readonly engine: EngineState;
  readonly commit: Commit;
  lastReadMs: number;
}

const sessions: ValueKey<Map<string, Session>> = {
  name: "files that a follower has open, by session",
  create: () => new Map(),
};

/**
 * Opens a session on a commit. The lease is added before the response is sent, so that operations after the commit
 * are retained from then on.
 */
export async function serveOpenFiles(copy: ShardCopy, payload: Uint8Array): Promise<Uint8Array> {
  const { session: id, lease } = OpenFilesRequest.decode(payload);
  const engine = engineOf(copy);
  if (copy.tracker.mode !== "primary") throw new OperationError(illegalState(copy));
  const lock = {};
  // The lock keeps the history between taking the commit and adding the lease; without it a merge could trim
  // operations that the follower needs next.
  engine.historyLocks.set(lock, historyFrom(engine));
  try {
    const commit = await commitToSend(copy, engine);
    pinCommit(engine, commit, 1);
    const opened = open(copy, id, { engine, commit, lastReadMs: 0 });
    try {
      if (lease !== null) await addLeaseOnPrimary(copy, lease);
    } catch (error) {
      close(copy, id, opened);
      throw error;
    }
    return OpenFilesResponse.encode({
      nodeId: copy.worker.nodeId,
      commit: encodeCommit(commit),
      files: filesOf(commit),
    }).finish();
  } finally {
    engine.historyLocks.delete(lock);
  }
}

/** Reads a part of a file of an open session. */
export async function serveReadFile(copy: ShardCopy, payload: Uint8Array): Promise<Uint8Array> {
  const { session: id, name, offset, length } = ReadFileRequest.decode(payload);
  const session = copy.kept.of(sessions).get(id);
  if (session === undefined || !filesOf(session.commit).some((file) => file.name === name)) {
    const reason = `session [${id}] of [${copy.index}][${copy.shard}] has no file [${name}] open`;
    throw new OperationError({ type: "illegal_state_exception", reason, status: 500 });
  }
  session.lastReadMs = copy.worker.clock.monotonicMs();
  const content = guarded(session.engine, () =>
    copy.worker.disk.read(`${copy.paths.index}/${name}`, { offset, length }),
  );
  return ReadFileResponse.encode({ content }).finish();
}

/** Closes a session; an unknown one is ignored. */
export async function serveCloseFiles(copy: ShardCopy, payload: Uint8Array): Promise<Uint8Array> {
  const { session: id } = CloseFilesRequest.decode(payload);
  const session = copy.kept.of(sessions).get(id);
  if (session !== undefined) close(copy, id, session);
  return emptyBytes;
}

function open(copy: ShardCopy, id: string, session: Session): Session {
  const known = copy.kept.of(sessions);
  const before = known.get(id);
  if (before !== undefined) close(copy, id, before);
  session.lastReadMs = copy.worker.clock.monotonicMs();
  known.set(id, session);
  watch(copy, id, session);
  return session;
}

function watch(copy: ShardCopy, id: string, session: Session): void {
  copy.worker.clock.setTimer(IDLE_MS, () => {
    if (copy.kept.of(sessions).get(id) !== session) return;
    const idleMs = copy.worker.clock.monotonicMs() - session.lastReadMs;
    if (idleMs >= IDLE_MS || copy.state === "CLOSED") close(copy, id, session);
    else watch(copy, id, session);
  });
}

function close(copy: ShardCopy, id: string, session: Session): void {
  pinCommit(session.engine, session.commit, -1);
  const known = copy.kept.of(sessions);
  if (known.get(id) === session) known.delete(id);
}
