/**
 * The translog of one copy (`Translog`): every operation since the last commit, in generations of append-only files.
 * A batch is appended whole; `sync` makes all before it durable, and callers that come during a sync share the next.
 *
 * INV-TRANSLOG-1: an operation whose sync has completed is found again after a crash, or opening fails. A write costs
 * one sync of one file: a mark is written after each sync, and made durable only when its generation begins, when the
 * next one has begun, and for `syncCheckpoint`.
 *
 * Operations behind the last mark may be those of a failed sync: they can be read from the system's cache, and
 * another sync succeeds, although they never reach the disk. A generation that is opened with such a tail is
 * rewritten into a new file before it counts as synced.
 */
import type { Disk } from "@orrery/ports";
import {
  encodeHeader,
  encodeMark,
  listGenerations,
  listMarks,
  markDamage,
  markFile,
  markTag,
  readGeneration,
  readMark,
  translogFile,
} from "./generation.ts";
import type { Operation } from "./record.ts";
import { greatest, OperationError } from "@orrery/stdx";
import { CorruptStoreError } from "../store/corruption.ts";

/** The translog; its files belong to one open engine. */
export interface Translog {
  readonly uuid: string;
  readonly generation: number;
  /** Bytes and operations of the kept generations, as found and appended. */
  readonly sizeBytes: number;
  readonly operations: number;
  /** Statistics of the operations in this generation and later ones. */
  statsFrom(generation: number): { readonly operations: number; readonly sizeBytes: number };
  /** Whether some bytes, or a wanted global checkpoint, are not durable. */
  readonly isSyncNeeded: boolean;
  /** The global checkpoint that is certain to be read after a crash; -2: none. Peer leases follow it. */
  readonly syncedGlobalCheckpoint: number;
  /** The oldest kept generation. */
  readonly minGeneration: number;
  /** Appends a batch to the current generation; `seqNos` are those of its records. */
  append(records: Uint8Array, seqNos: readonly number[]): void;
  /** Resolves when everything that was appended before is durable, and has been reported to `onPersisted`. */
  sync(): Promise<void>;
  /** `sync`, and makes the current global checkpoint durable. */
  syncCheckpoint(): Promise<void>;
  /** Begins a new generation. */
  roll(primaryTerm: number): void;
  /** Removes generations before this one, which no commit needs; never the current one. */
  trimBefore(generation: number): void;
  /** Writes nothing more: another engine may own the files. */
  close(): void;
}

/** A global checkpoint that is not known. */
const UNKNOWN_CHECKPOINT = -2;

function closedTranslog(): OperationError {
  const reason = "translog is already closed";
  return new OperationError({
    ...{ type: "already_closed_exception", reason, status: 500, isRetryable: true },
  });
}

/** The suffix of a generation that is being rewritten; opening removes such files. */
const REWRITE_SUFFIX = ".new";

/** The bytes that one turn copies, and one sync writes; a larger generation is copied alone. */
const REWRITE_BYTES = 1024 * 1024;

/** Parameters with which a translog is created. */
export interface TranslogOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly uuid: string;
  /** The generation to begin; older ones are kept until `trimBefore`. */
  readonly generation: number;
  readonly primaryTerm: number;
  /** Older generations, ascending. */
  readonly kept: readonly KeptGeneration[];
  /**
   * Sequence numbers in them that the commit lacks. A crash may have left them in the files without making them
   * durable: the first sync reports them.
   */
  readonly found: readonly number[];
  readonly globalCheckpoint: () => number;
  /** Reports sequence numbers that have become durable, each once. */
  readonly onPersisted: (seqNos: readonly number[]) => void;
}

/** An older generation, as `openTranslog` found it. */
export interface KeptGeneration {
  readonly generation: number;
  readonly operations: number;
  readonly sizeBytes: number;
  /** Whether records lie behind its last mark. */
  readonly hasUnsyncedTail: boolean;
}

/** A generation of an open translog. */
interface OpenGeneration {
  readonly generation: number;
  readonly path: string;
  readonly markPath: string;
  operations: number;
  sizeBytes: number;
  /** Bytes that a completed sync has covered; 0 for an older generation before the first sync. */
  syncedBytes: number;
  /** Whether its newest mark is durable. */
  isMarkSynced: boolean;
  /** Whether it was found so; it is rewritten before it counts as synced. */
  hasUnsyncedTail: boolean;
  /** The global checkpoint in its newest mark. */
  markedCheckpoint: number;
}

/** Opens a translog and begins a generation. */
export function createTranslog(options: TranslogOptions): Translog {
  const { disk, uuid } = options;
  const files = createGenerations(options);
  const syncs: SyncState = {
    unsynced: [...options.found],
    isCheckpointWanted: false,
    syncedGlobalCheckpoint: UNKNOWN_CHECKPOINT,
    isClosed: false,
  };
  const needsSync = (): boolean => syncs.isCheckpointWanted || files.isDirty;
  const sync = shareSyncs(needsSync, () => syncNow(options, files, syncs));

  return {
    uuid,
    get generation() {
      return files.current.generation;
    },
    get sizeBytes() {
      return totals(files.kept, 0).sizeBytes;
    },
    get operations() {
      return totals(files.kept, 0).operations;
    },
    statsFrom: (generation) => totals(files.kept, generation),
    get isSyncNeeded() {
      return needsSync();
    },
    get minGeneration() {
      return files.kept[0]?.generation ?? files.current.generation;
    },
    append(records, seqNos) {
      const { current } = files;
      disk.append(current.path, records);
      current.sizeBytes += records.length;
      current.operations += seqNos.length;
      for (const seqNo of seqNos) syncs.unsynced.push(seqNo);
    },
    sync,
    get syncedGlobalCheckpoint() {
      return syncs.syncedGlobalCheckpoint;
    },
    syncCheckpoint() {
      syncs.isCheckpointWanted ||= syncs.syncedGlobalCheckpoint < options.globalCheckpoint();
      return sync();
    },
    close() {
      syncs.isClosed = true;
    },
    roll: files.roll,
    trimBefore: files.trimBefore,
  };
}

interface SyncState {
  /** Sequence numbers that were appended or found, and are not durable. */
  unsynced: number[];
  /** Whether the next sync makes the global checkpoint durable, too. */
  isCheckpointWanted: boolean;
  syncedGlobalCheckpoint: number;
  isClosed: boolean;
}

/** The generations of an open translog. */
interface Generations {
  /** Oldest first; the current one is the last. */
  readonly kept: readonly OpenGeneration[];
  readonly current: OpenGeneration;
  /** Whether some generation has bytes that are not synced. */
  readonly isDirty: boolean;
  /** Appends a mark with the synced length and the known global checkpoint. */
  mark(one: OpenGeneration): void;
  roll(primaryTerm: number): void;
  trimBefore(generation: number): void;
}

/** The files of a translog, of which the last is written. */
function createGenerations(options: TranslogOptions): Generations {
  const { disk, folder, uuid } = options;
  const tag = markTag(uuid);
  const pathsOf = (generation: number): Pick<OpenGeneration, "path" | "markPath"> => ({
    path: translogFile(folder, generation),
    markPath: markFile(folder, generation),
  });
  const kept: OpenGeneration[] = options.kept.map((one) => ({
    ...one,
    ...pathsOf(one.generation),
    syncedBytes: 0,
    isMarkSynced: true,
    markedCheckpoint: UNKNOWN_CHECKPOINT,
  }));

  const mark = (one: OpenGeneration): void => {
    const globalCheckpoint = options.globalCheckpoint();
    disk.append(one.markPath, encodeMark({ offset: one.syncedBytes, globalCheckpoint }, tag));
    one.isMarkSynced = false;
    one.markedCheckpoint = globalCheckpoint;
  };

  const start = (generation: number, primaryTerm: number): OpenGeneration => {
    const header = encodeHeader({ translogUuid: uuid, generation, primaryTerm });
    const paths = pathsOf(generation);
    disk.write(paths.path, header);
    const opened: OpenGeneration = {
      generation,
      ...paths,
      operations: 0,
      sizeBytes: header.length,
      syncedBytes: 0,
      isMarkSynced: true,
      hasUnsyncedTail: false,
      markedCheckpoint: UNKNOWN_CHECKPOINT,
    };
    kept.push(opened);
    // Older generations are removed with their marks: the new one carries the global checkpoint on before that.
    mark(opened);
    return opened;
  };
  let current = start(options.generation, options.primaryTerm);

  return {
    kept,
    get current() {
      return current;
    },
    get isDirty() {
      return kept.some((one) => one.syncedBytes < one.sizeBytes);
    },
    mark,
    roll(primaryTerm) {
      current = start(current.generation + 1, primaryTerm);
    },
    trimBefore(generation) {
      for (;;) {
        const [first] = kept;
        if (first === undefined || first === current || first.generation >= generation) return;
        kept.shift();
        disk.remove(first.path);
        disk.remove(first.markPath);
      }
    },
  };
}

/**
 * One sync runs at a time. A sync covers bytes that were appended before it began, so a caller that comes later needs
 * the next one, which all later callers share.
 */
function shareSyncs(needsSync: () => boolean, syncOnce: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;

  const run = (): Promise<void> => {
    running = syncOnce().finally(() => {
      running = undefined;
    });
    return running;
  };

  return () => {
    // The running sync covers the caller: no byte was appended since it began.
    if (!needsSync()) return running ?? Promise.resolve();
    if (running === undefined) return run();
    // The failure of the running sync belongs to its callers.
    queued ??= running
      .catch(() => undefined)
      .then(() => {
        queued = undefined;
        return needsSync() ? run() : undefined;
      });
    return queued;
  };
}

/**
 * One sync:
 *
 * 1. Rewrite generations with an unsynced tail.
 * 2. Choose dirty generations and due marks, and remember sizes and numbers: what is appended during the sync is not
 *    covered by it.
 * 3. Sync all files in one call. If that fails the numbers count as unsynced again, and the engine fails.
 * 4. Write marks for the new durable lengths. A mark must never come before the bytes that it covers: after a crash
 *    it would make a torn end a corruption.
 * 5. Report the numbers.
 */
async function syncNow(
  options: TranslogOptions,
  files: Generations,
  syncs: SyncState,
): Promise<void> {
  const { disk } = options;
  const { kept } = files;
  for (let rewrite = nextToRewrite(kept); rewrite.length > 0 && !syncs.isClosed;) {
    await rewriteGenerations(options, files, { rewrite, isClosed: () => syncs.isClosed });
    rewrite = nextToRewrite(kept);
  }
  // A closed translog syncs what it has written: its callers wait for that. It cannot rewrite files that may be
  // another engine's.
  if (kept.some(({ hasUnsyncedTail }) => hasUnsyncedTail)) throw closedTranslog();
  const dirty = kept.filter((one) => one.syncedBytes < one.sizeBytes);
  const persisted = syncs.unsynced;
  syncs.unsynced = [];
  const sizes = dirty.map((one) => one.sizeBytes);
  const withCheckpoint = syncs.isCheckpointWanted;
  syncs.isCheckpointWanted = false;
  const { current } = files;
  const marks = kept.filter(
    (one) => isMarkDue(one, current) || (withCheckpoint && one === current),
  );
  if (withCheckpoint) files.mark(current);
  const checkpoints = marks.map((one) => one.markedCheckpoint);
  try {
    await disk.sync([...dirty.map(({ path }) => path), ...marks.map(({ markPath }) => markPath)]);
  } catch (error) {
    syncs.unsynced = [...persisted, ...syncs.unsynced];
    throw error;
  }
  // The bytes are durable, but a mark would be written into a file that may be another engine's.
  if (syncs.isClosed) return;
  for (const one of marks) one.isMarkSynced = true;
  syncs.syncedGlobalCheckpoint = Math.max(syncs.syncedGlobalCheckpoint, greatest(checkpoints));
  dirty.forEach((one, i) => {
    one.syncedBytes = Math.max(one.syncedBytes, sizes[i] ?? 0);
    // Trimmed during the sync.
    if (!kept.includes(one)) return;
    files.mark(one);
  });
  options.onPersisted(persisted);
}

/**
 * Whether the sync includes the generation's marks: those of a closed generation, which no later sync would cover,
 * and the first of the current one.
 */
function isMarkDue(one: OpenGeneration, current: OpenGeneration): boolean {
  return !one.isMarkSynced && (one !== current || one.syncedBytes === 0);
}

/** Generations to rewrite next: at least one, and no more bytes than one turn should copy. */
function nextToRewrite(kept: readonly OpenGeneration[]): readonly OpenGeneration[] {
  let bytes = 0;
  return kept
    .filter(({ hasUnsyncedTail }) => hasUnsyncedTail)
    .filter(({ sizeBytes }, i) => (bytes += sizeBytes) <= REWRITE_BYTES || i === 0);
}

/**
 * Copies generations into new files, syncs these together, and renames them over the old ones. Many at a time: a copy
 * whose recovery failed hundreds of times has as many generations, and its source waits only for a time-out.
 */
async function rewriteGenerations(
  { disk, folder }: TranslogOptions,
  { kept }: Generations,
  { rewrite, isClosed }: { rewrite: readonly OpenGeneration[]; isClosed: () => boolean },
): Promise<void> {
  const copyOf = (one: OpenGeneration): string => `${one.path}${REWRITE_SUFFIX}`;
  for (const one of rewrite) disk.write(copyOf(one), disk.read(one.path));
  await disk.sync(rewrite.map(copyOf));
  // Another engine may own the files by now.
  if (isClosed()) return;
  for (const one of rewrite) {
    // A flush may have trimmed the generation during the sync.
    if (kept.includes(one)) disk.rename(copyOf(one), one.path);
    else disk.remove(copyOf(one));
  }
  await disk.syncFolder(folder);
  for (const one of rewrite) one.hasUnsyncedTail = false;
}

function totals(
  kept: readonly OpenGeneration[],
  from: number,
): { readonly operations: number; readonly sizeBytes: number } {
  let operations = 0;
  let sizeBytes = 0;
  for (const one of kept) {
    if (one.generation < from) continue;
    operations += one.operations;
    sizeBytes += one.sizeBytes;
  }
  return { operations, sizeBytes };
}

/** The contents of a translog, as `openTranslog` found them on the disk. */
export interface FoundTranslog {
  /** Operations from `replayFrom` on, in the order in which they were appended. */
  readonly operations: readonly Operation[];
  readonly kept: readonly KeptGeneration[];
  readonly nextGeneration: number;
  readonly globalCheckpoint: number;
  /** Damage that did not prevent the opening, for the log. */
  readonly damage: readonly string[];
}

/**
 * Reads the translog of a uuid from a generation on. Removes older generations and files of other translogs, and cuts
 * off torn ends.
 * @throws CorruptStoreError A durable part is damaged, or a generation is missing that the commit needs.
 */
export function openTranslog(
  disk: Disk,
  folder: string,
  wanted: {
    readonly uuid: string;
    readonly fromGeneration: number;
    /** Operations of earlier generations are in the commit, or were rolled back before it. */
    readonly replayFrom: number;
    /** Whether the commit names the translog: at least one generation must be there. */
    readonly isRequired: boolean;
  },
): FoundTranslog {
  const operations: Operation[] = [];
  const kept: KeptGeneration[] = [];
  const damage: string[] = [];
  let globalCheckpoint = UNKNOWN_CHECKPOINT;
  let expected = wanted.fromGeneration;
  let isTorn = false;
  // Copies of rewrites that a crash has ended.
  for (const name of disk.list(folder))
    if (name.endsWith(REWRITE_SUFFIX)) disk.remove(`${folder}/${name}`);
  for (const generation of listGenerations(disk, folder)) {
    if (generation < wanted.fromGeneration) {
      globalCheckpoint = Math.max(
        globalCheckpoint,
        readMark(disk, folder, generation, wanted.uuid).globalCheckpoint,
      );
      removeGeneration(disk, folder, generation);
      continue;
    }
    const read = readGeneration(disk, folder, generation, wanted.uuid);
    isTorn ||= read === undefined;
    // No generation behind a torn header was acknowledged: a sync covers every generation before it.
    if (read === undefined || isTorn || read.header.translogUuid !== wanted.uuid) {
      removeGeneration(disk, folder, generation);
      continue;
    }
    // A hole in the numbers: a generation that held operations is lost.
    if (generation !== expected) throw missingGeneration(folder, expected);
    expected = generation + 1;
    const path = translogFile(folder, generation);
    // The file ends with its last whole record from now on.
    if (disk.sizeBytes(path) > read.sizeBytes) disk.truncate(path, read.sizeBytes);
    if (generation >= wanted.replayFrom)
      for (const operation of read.operations) operations.push(operation);
    globalCheckpoint = Math.max(globalCheckpoint, read.globalCheckpoint);
    const damaged =
      read.operations.length > 0 ? markDamage(disk, folder, generation, wanted.uuid) : undefined;
    if (damaged !== undefined) damage.push(damaged);
    const { sizeBytes } = read;
    const hasUnsyncedTail = sizeBytes > read.syncedBytes;
    kept.push({ generation, operations: read.operations.length, sizeBytes, hasUnsyncedTail });
  }
  if (kept.length === 0 && wanted.isRequired) throw missingGeneration(folder, expected);
  // A mark with a length was written when that much was durable: its generation must be there.
  const marked = listMarks(disk, folder).filter((generation) => generation >= expected);
  const lost = marked.find((one) => readMark(disk, folder, one, wanted.uuid).offset > 0);
  if (lost !== undefined) throw missingGeneration(folder, lost);
  // The next generation follows the last one kept, or the next opening would take the hole in the numbers for a loss.
  return { operations, kept, nextGeneration: expected, globalCheckpoint, damage };
}

function removeGeneration(disk: Disk, folder: string, generation: number): void {
  disk.remove(translogFile(folder, generation));
  disk.remove(markFile(folder, generation));
}

function missingGeneration(folder: string, generation: number): CorruptStoreError {
  return new CorruptStoreError(
    "translog_corrupted_exception",
    `translog generation [${generation}] of [${folder}] is missing`,
  );
}
