/**
 * A leader's primary lends its files: while a session is open its commit stays, and so does the history after it. Source:
 * `RemoteClusterRestoreLeaderService`.
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

/** A follower that is gone does not close its session. */
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

/** The lease comes before the answer: what the follower asks for after the files is there from now on. */
export async function serveOpenFiles(copy: ShardCopy, payload: Uint8Array): Promise<Uint8Array> {
  const { session: id, lease } = OpenFilesRequest.decode(payload);
  const engine = engineOf(copy);
  if (copy.tracker.mode !== "primary") throw new OperationError(illegalState(copy));
  const lock = {};
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
