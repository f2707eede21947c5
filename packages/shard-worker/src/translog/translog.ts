/**
 * The translog of one copy: every operation since the last commit, in files that are only appended to.
 *
 * `append` writes a whole batch at once. `sync` makes everything appended before it durable; callers that come while a
 * sync runs share the next one. INV-TRANSLOG-1: an operation whose `sync` has completed is found again after a crash, or
 * opening fails.
 *
 * A mark is written after each sync and made durable seldom, so that a write costs one sync of one file: when its generation
 * begins, when the next one has begun, and when somebody asks for it (`syncCheckpoint`).
 *
 * Operations found behind the last mark at opening may be those of a failed sync: they can be read, and another sync of the same file
 * succeeds, although the disk never gets it. So it is written into a file of its own, which takes the place of the old one.
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

export interface Translog {
  readonly uuid: string;
  readonly generation: number;
  /** Bytes and operations in the generations that are kept. */
  readonly sizeBytes: number;
  readonly operations: number;
  /** The same, counted from this generation on. */
  statsFrom(generation: number): { readonly operations: number; readonly sizeBytes: number };
  readonly isSyncNeeded: boolean;
  /** The global checkpoint that is found again after a crash; −2: none is for certain. */
  readonly syncedGlobalCheckpoint: number;
  readonly minGeneration: number;
  append(records: Uint8Array, seqNos: readonly number[]): void;
  /** Ends when all that was appended before is durable. */
  sync(): Promise<void>;
  /** The same, and the global checkpoint that is known now. */
  syncCheckpoint(): Promise<void>;
  /** New operations go to a new file from now on. */
  roll(primaryTerm: number): void;
  /** Drops the generations before this one. */
  trimBefore(generation: number): void;
  /** Writes nothing any more: another may own the files by now. */
  close(): void;
}

const UNKNOWN_CHECKPOINT = -2;

function closedTranslog(): OperationError {
  const reason = "translog is already closed";
  return new OperationError({
    ...{ type: "already_closed_exception", reason, status: 500, isRetryable: true },
  });
}

/** Behind the name of a generation that is written anew. */
const COPY = ".new";

/** A megabyte: what one turn copies. A larger generation is copied alone. */
const ANEW_BYTES = 1024 * 1024;

export interface TranslogOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly uuid: string;
  /** The generation to start; older ones are kept for as long as a commit needs them. */
  readonly generation: number;
  readonly primaryTerm: number;
  /** Kept older generations. */
  readonly kept: readonly KeptGeneration[];
  /** Sequence numbers in them: a crash may have left them in the file without making them durable. */
  readonly found: readonly number[];
  readonly globalCheckpoint: () => number;
  /** Operations that are durable now. */
  readonly onPersisted: (seqNos: readonly number[]) => void;
}

export interface KeptGeneration {
  readonly generation: number;
  readonly operations: number;
  readonly sizeBytes: number;
  /** Some of it lies behind its last mark. */
  readonly isUnsure: boolean;
}

interface OpenGeneration {
  readonly generation: number;
  readonly path: string;
  readonly markPath: string;
  operations: number;
  sizeBytes: number;
  /** Bytes a completed sync has covered. */
  syncedBytes: number;
  isMarkSynced: boolean;
  /** Found so: it is written anew before it counts as synced. */
  isUnsure: boolean;
  /** In its newest mark. */
  markedCheckpoint: number;
}

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
  /** Sequence numbers that were appended and are not durable. */
  unsynced: number[];
  /** The next sync makes the global checkpoint durable, too. */
  isCheckpointWanted: boolean;
  syncedGlobalCheckpoint: number;
  isClosed: boolean;
}

interface Generations {
  /** Oldest first; the current one is the last. */
  readonly kept: readonly OpenGeneration[];
  readonly current: OpenGeneration;
  /** Some bytes of one are not synced. */
  readonly isDirty: boolean;
  /** Appends a mark: what of the generation is synced, and the global checkpoint. */
  mark(one: OpenGeneration): void;
  roll(primaryTerm: number): void;
  trimBefore(generation: number): void;
}

/** The files of a translog, of which the newest is written. */
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
      isUnsure: false,
      markedCheckpoint: UNKNOWN_CHECKPOINT,
    };
    kept.push(opened);
    // Older generations go with their marks: what is known must be in this one before.
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

/** One sync runs at a time; calls that come while it runs share the next one. */
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
    if (!needsSync()) return running ?? Promise.resolve();
    if (running === undefined) return run();
    // What was appended since the running sync started is not covered by it.
    queued ??= running
      .catch(() => undefined)
      .then(() => {
        queued = undefined;
        return needsSync() ? run() : undefined;
      });
    return queued;
  };
}

async function syncNow(
  options: TranslogOptions,
  files: Generations,
  syncs: SyncState,
): Promise<void> {
  const { disk } = options;
  const { kept } = files;
  for (let unsure = nextUnsure(kept); unsure.length > 0 && !syncs.isClosed;) {
    await writeAnew(options, files, { unsure, isClosed: () => syncs.isClosed });
    unsure = nextUnsure(kept);
  }
  // A closed translog goes on to sync what it has written, or whoever waits for that would be told so in vain.
  if (kept.some(({ isUnsure }) => isUnsure)) throw closedTranslog();
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
  if (syncs.isClosed) return;
  for (const one of marks) one.isMarkSynced = true;
  syncs.syncedGlobalCheckpoint = Math.max(syncs.syncedGlobalCheckpoint, greatest(checkpoints));
  dirty.forEach((one, i) => {
    one.syncedBytes = Math.max(one.syncedBytes, sizes[i] ?? 0);
    if (!kept.includes(one)) return;
    files.mark(one);
  });
  options.onPersisted(persisted);
}

function isMarkDue(one: OpenGeneration, current: OpenGeneration): boolean {
  return !one.isMarkSynced && (one !== current || one.syncedBytes === 0);
}

/** Generations to write anew next: at least one, and no more bytes than one turn should copy. */
function nextUnsure(kept: readonly OpenGeneration[]): readonly OpenGeneration[] {
  let bytes = 0;
  return kept
    .filter(({ isUnsure }) => isUnsure)
    .filter(({ sizeBytes }, i) => (bytes += sizeBytes) <= ANEW_BYTES || i === 0);
}

/** In one sync: a copy that was tried hundreds of times has as many generations, and its source waits for a time-out only. */
async function writeAnew(
  { disk, folder }: TranslogOptions,
  { kept }: Generations,
  { unsure, isClosed }: { unsure: readonly OpenGeneration[]; isClosed: () => boolean },
): Promise<void> {
  const copyOf = (one: OpenGeneration): string => `${one.path}${COPY}`;
  for (const one of unsure) disk.write(copyOf(one), disk.read(one.path));
  await disk.sync(unsure.map(copyOf));
  // Another may own the files by now.
  if (isClosed()) return;
  for (const one of unsure) {
    // No commit may need it any more.
    if (kept.includes(one)) disk.rename(copyOf(one), one.path);
    else disk.remove(copyOf(one));
  }
  await disk.syncFolder(folder);
  for (const one of unsure) one.isUnsure = false;
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

export interface FoundTranslog {
  readonly operations: readonly Operation[];
  readonly kept: readonly KeptGeneration[];
  readonly nextGeneration: number;
  readonly globalCheckpoint: number;
  /** What is damaged, and did not keep the translog from being opened: for the log. */
  readonly damage: readonly string[];
}

/**
 * What the translog of this uuid holds from a generation on. Torn ends are cut off; files of another translog are
 * removed. Throws `CorruptStoreError` when something durable is damaged or a needed generation is missing.
 */
export function openTranslog(
  disk: Disk,
  folder: string,
  wanted: {
    readonly uuid: string;
    readonly fromGeneration: number;
    /** Operations of generations before it are in the commit, or were dropped by it. */
    readonly replayFrom: number;
    /** The commit says that it exists. */
    readonly isRequired: boolean;
  },
): FoundTranslog {
  const operations: Operation[] = [];
  const kept: KeptGeneration[] = [];
  const damage: string[] = [];
  let globalCheckpoint = UNKNOWN_CHECKPOINT;
  let expected = wanted.fromGeneration;
  let isTorn = false;
  for (const name of disk.list(folder)) if (name.endsWith(COPY)) disk.remove(`${folder}/${name}`);
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
    // Nothing after a torn header was acknowledged: a sync covers every generation before it.
    if (read === undefined || isTorn || read.header.translogUuid !== wanted.uuid) {
      removeGeneration(disk, folder, generation);
      continue;
    }
    if (generation !== expected) throw missingGeneration(folder, expected);
    expected = generation + 1;
    const path = translogFile(folder, generation);
    if (disk.sizeBytes(path) > read.sizeBytes) disk.truncate(path, read.sizeBytes);
    if (generation >= wanted.replayFrom)
      for (const operation of read.operations) operations.push(operation);
    globalCheckpoint = Math.max(globalCheckpoint, read.globalCheckpoint);
    const harm =
      read.operations.length > 0 ? markDamage(disk, folder, generation, wanted.uuid) : undefined;
    if (harm !== undefined) damage.push(harm);
    const { sizeBytes } = read;
    const isUnsure = sizeBytes > read.syncedBytes;
    kept.push({ generation, operations: read.operations.length, sizeBytes, isUnsure });
  }
  if (kept.length === 0 && wanted.isRequired) throw missingGeneration(folder, expected);
  // A mark that counts bytes was written when they were durable: its file was there, and held what was acknowledged.
  const marked = listMarks(disk, folder).filter((generation) => generation >= expected);
  const lost = marked.find((one) => readMark(disk, folder, one, wanted.uuid).offset > 0);
  if (lost !== undefined) throw missingGeneration(folder, lost);
  // Where the last one kept ends: the next opening takes a hole in the numbers for a loss.
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
