/**
 * Writer of a bundle during its run, to a temporary file beside the target: `finish` ends with a
 * rename, so that a reader finds the previous bundle or the complete new one, never a part.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { OperationError } from "@orrery/stdx";
import Database from "better-sqlite3";
import { createColumns } from "./columns.ts";
import { digestOf } from "./digest.ts";
import { isDatabase } from "./head.ts";
import { createOperationLog } from "./operation-log.ts";
import { APPLICATION_ID, FORMAT_VERSION, schema } from "./schema.ts";
import type { ObservedState, RecordedEvent, RunIdentity, RunOutcome } from "./types.ts";

export interface BundleWriter {
  event(event: RecordedEvent): void;
  /** Records the cluster state as it is from `atMs` on. */
  state(atMs: number, state: ObservedState): void;
  finish(outcome: RunOutcome): void;
  /** Removes the temporary file; does nothing after `finish`. */
  abandon(): void;
}

/**
 * Begins a bundle, which takes the place of the target at the end. Throws `OperationError` if the target cannot be
 * written.
 */
export function createBundle(path: string, identity: RunIdentity): BundleWriter {
  const part = `${path}.${process.pid}.part`;
  const database = open(path, part);
  const log = createOperationLog();
  const columns = createColumns();
  /** Latest shard table of each cluster, as JSON. */
  const tables = new Map<string, string>();
  const insertEvent = database.prepare("INSERT INTO events VALUES (?,?,?,?,?,?,?,?,?,?)");
  const insertState = database.prepare("INSERT INTO cluster_states VALUES (?,?,?,?,?,?)");
  const insertShard = database.prepare("INSERT INTO shards VALUES (?,?,?,?,?,?,?,?,?)");
  let seq = 0;
  let isOver = false;

  const abandon = (): void => {
    if (isOver) return;
    isOver = true;
    database.close();
    rmSync(part, { force: true });
  };

  return {
    event: (event) => {
      seq += 1;
      const json = JSON.stringify(event);
      log.add(event);
      const { action, sender, receiver, index, shard } = columns.of(event);
      const { at_ms: atMs, node, kind } = event;
      insertEvent.run(seq, atMs, node, kind, action, sender, receiver, index, shard, json);
    },
    state: (atMs, state) => {
      const { cluster, version, term, clusterManager, nodes, shards } = state;
      for (const [name, { uuid }] of state.indices) columns.name(uuid, name);
      insertState.run(cluster, version, term, atMs, clusterManager ?? null, nodes.join(","));
      // Most versions of the cluster state move no copy, and repeat no rows.
      const table = JSON.stringify(shards);
      if (tables.get(cluster) === table) return;
      tables.set(cluster, table);
      for (const copy of shards) {
        insertShard.run(
          ...[cluster, version, atMs, copy.index, copy.shard, copy.isPrimary ? 1 : 0, copy.state],
          ...[copy.node ?? null, copy.allocationId ?? null],
        );
      }
    },
    finish: (outcome) => {
      try {
        writeOutcome(database, identity, outcome);
        log.writeTo(database);
        database.prepare("INSERT INTO digest VALUES (?)").run(digestOf(database));
        database.exec("COMMIT");
        database.close();
        sync(part);
        renameSync(part, path);
        isOver = true;
      } catch (error) {
        abandon();
        throw notWritable(path, error);
      }
    },
    abandon,
  };
}

function open(path: string, part: string): Database.Database {
  const obstacle = obstacleAt(path);
  if (obstacle !== undefined) throw notWritable(path, obstacle);
  try {
    // The file may hold documents. SQLite gives its journal the mode of the database, so the mode
    // is set first.
    rmSync(part, { force: true });
    closeSync(openSync(part, "wx", 0o600));
    const database = new Database(part);
    // No reader opens the file before the rename, so a durable journal and syncs would only cost
    // time.
    database.pragma("journal_mode = MEMORY");
    database.pragma("synchronous = OFF");
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.pragma(`user_version = ${FORMAT_VERSION}`);
    database.exec(schema);
    database.exec("BEGIN");
    return database;
  } catch (error) {
    throw notWritable(path, error);
  }
}

/**
 * Sentence if the target exists and is no bundle: a bundle replaces only a bundle, since two
 * swapped arguments must not destroy a file.
 */
function obstacleAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return "it is a folder";
  if (found?.isFile() === false) return "it is no file";
  return found === undefined || found.size === 0 || isDatabase(path)
    ? undefined
    : "a file is there that is no bundle";
}

function notWritable(path: string, error: unknown): OperationError {
  const isNowhere = error instanceof Error && "code" in error && error.code === "ENOENT";
  const why = isNowhere
    ? `there is no folder [${dirname(path)}]`
    : error instanceof Error
      ? error.message
      : String(error);
  const reason = `the bundle [${path}] cannot be written: ${why}`;
  return new OperationError({ type: "io_exception", reason, status: 500 });
}

function sync(path: string): void {
  const handle = openSync(path, "r+");
  fsyncSync(handle);
  closeSync(handle);
}

function writeOutcome(
  database: Database.Database,
  identity: RunIdentity,
  outcome: RunOutcome,
): void {
  const { programVersion, scenario, claim, file, world, seed, plan, source } = identity;
  const { verdict, hash, events, virtualMs, wallMs, findings } = outcome;
  database
    .prepare("INSERT INTO run VALUES (?,?,?,?,?,?,?,?,?,?,?,?)")
    .run(
      ...[FORMAT_VERSION, programVersion, scenario, claim, file, world, seed],
      ...[verdict, hash, events, virtualMs, wallMs],
    );
  database.prepare("INSERT INTO plan VALUES (?,?)").run(plan, source);
  const insertFinding = database.prepare("INSERT INTO findings VALUES (?,?,?,?,?)");
  const insertSubject = database.prepare("INSERT INTO subjects VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
  findings.forEach(({ invariant, checker, says, atMs, subjects = [] }, i) => {
    insertFinding.run(i + 1, invariant ?? null, checker ?? null, says, atMs);
    for (const one of subjects) {
      insertSubject.run(
        ...[i + 1, one.index ?? null, one.document ?? null, one.shard ?? null, one.node ?? null],
        ...[one.term ?? null, one.client ?? null, one.request ?? null, one.operation ?? null],
        ...[one.sentMs ?? null, one.answeredMs ?? null, one.seqNo ?? null],
      );
    }
  });
  const insertDoubt = database.prepare("INSERT INTO doubts VALUES (?,?)");
  outcome.doubts.forEach((says, i) => {
    insertDoubt.run(i + 1, says);
  });
  const insertReceipt = database.prepare("INSERT INTO receipts VALUES (?,?,?,?,?,?)");
  outcome.receipts.forEach(({ fault, description, startedMs, endedMs, hits }, i) => {
    insertReceipt.run(i + 1, fault, description, startedMs, endedMs, hits);
  });
}
