/**
 * Opens a segment: verifies the file, checks that all kinds of parts are known, and returns a reader whose parts open
 * at their first use.
 */
import { assert, illegalArgument } from "@orrery/stdx";
import { createDocSet } from "./bits.ts";
import { FieldReader } from "./field-reader.ts";
import { CorruptFileError, openFile, type OpenFile } from "./file.ts";
import { nextWithId } from "./id-index.ts";
import { kindsOf, type SegmentDirectory } from "./layout.ts";
import { isLive } from "./live-docs.ts";
import { openNumberColumn, openPoints } from "./numbers.ts";
import type { SegmentParts } from "./part.ts";
import { KIND_DELETE, KIND_INDEX, KIND_NOOP, StoredFields } from "./stored.ts";
import type { OperationKind, Points, SegmentFile, WholeSegmentReader } from "./types.ts";

/** Options of `openSegment`. */
export interface OpenOptions {
  /** Skips the checksum: the bytes were written by this process and never left its memory. */
  readonly isTrusted?: boolean;
}

/**
 * Opens a segment. A part of a kind that is not in `parts` is an error, but no corruption: the file is intact and must
 * be kept, because a node with the plugin of that kind can read it.
 * @throws CorruptFileError The file is damaged.
 * @throws OperationError `illegal_argument_exception`: the file has a part of an unknown kind.
 */
export function openSegment(
  files: readonly SegmentFile[],
  parts: SegmentParts,
  options: OpenOptions = {},
): WholeSegmentReader {
  const [main] = files;
  assert(main !== undefined, "a segment has a file");
  const file = openFile(main, options.isTrusted ?? false);
  const directory = readDirectory(main.name, file.directory);
  checkKinds(main.name, directory, parts);
  return createReader({ files, file, parts }, directory);
}

/** The message is Lucene's for a codec or format that no module provides. */
function checkKinds(fileName: string, { fields }: SegmentDirectory, parts: SegmentParts): void {
  for (const { info } of fields) {
    const unknown = kindsOf(info).find((kind) => !parts.has(kind));
    if (unknown === undefined) continue;
    throw illegalArgument(
      `A segment part of kind [${unknown}], which field [${info.name}] has, does not exist. The node supports the following ` +
        `kinds: [${[...parts.keys()].join(", ")}] (resource=${fileName})`,
    );
  }
}

/** The checksum has passed, so this only rejects directories of an unknown layout. */
function readDirectory(fileName: string, directory: unknown): SegmentDirectory {
  const candidate = directory as Partial<SegmentDirectory>;
  const isWhole =
    typeof candidate.maxDoc === "number" &&
    Array.isArray(candidate.fields) &&
    candidate.stored !== undefined &&
    candidate.seqNos !== undefined;
  if (!isWhole) throw new CorruptFileError(fileName, "directory is incomplete");
  return directory as SegmentDirectory;
}

interface OpenedFiles {
  readonly files: readonly SegmentFile[];
  readonly file: OpenFile;
  readonly parts: SegmentParts;
}

function createReader(
  { files, file, parts }: OpenedFiles,
  directory: SegmentDirectory,
): WholeSegmentReader {
  const { maxDoc, rootCount } = directory;
  const stored = new StoredFields(file, directory.stored);
  const idTable = file.ints(directory.idTable);
  const seqNos = openNumberColumn(file, directory.seqNos, maxDoc);
  // Point look-up by sequence number over all documents: recoveries ask for ranges of operations.
  const seqNoPoints = openPoints(file, directory.seqNoPoints);
  const primaryTerms = openNumberColumn(file, directory.primaryTerms, maxDoc);
  const versions = openNumberColumn(file, directory.versions, maxDoc);
  const systemNumbers = new Map([
    ["_seq_no", seqNos],
    ["_primary_term", primaryTerms],
    ["_version", versions],
  ]);
  const fields = new Map(
    directory.fields.map((entry) => [
      entry.info.name,
      new FieldReader(file, entry, { parts, maxDoc }),
    ]),
  );
  const roots =
    directory.roots === undefined ? undefined : createDocSet(rootCount, file.ints(directory.roots));
  const kind = (doc: number): OperationKind => {
    switch (stored.kind(doc)) {
      case KIND_DELETE:
        return "delete";
      case KIND_NOOP:
        return "noop";
      default:
        return "index";
    }
  };
  return {
    name: directory.name,
    maxDoc,
    rootCount,
    sizeBytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
    minSeqNo: directory.minSeqNo,
    maxSeqNo: directory.maxSeqNo,
    fields: directory.fields.map(({ info }) => info),
    files,
    roots,
    field: (name) => fields.get(name)?.info,
    part: (row, name) => fields.get(name)?.part(row),
    terms: (name) => fields.get(name)?.columns.terms,
    norms: (name) => fields.get(name)?.columns.norms,
    numbers: (name) => systemNumbers.get(name) ?? fields.get(name)?.columns.numbers,
    ordinals: (name) => fields.get(name)?.columns.ordinals,
    binary: (name) => fields.get(name)?.columns.binary,
    points: (name) => (name === "_seq_no" ? seqNoPoints : fields.get(name)?.columns.points),
    documentsWith: (name) => fields.get(name)?.documents,
    find: (key, live) => {
      // Several documents of a segment may have one id (updates between two refreshes); the one with the highest
      // number is the newest, because documents are numbered in the order of their operations.
      let newest = -1;
      let slot = nextWithId(idTable, stored, key, key.hash);
      while (slot !== -1) {
        const doc = (idTable[slot * 2] as number) - 1;
        if (doc > newest && isLive(live, doc)) newest = doc;
        slot = nextWithId(idTable, stored, key, slot + 1);
      }
      return newest;
    },
    findAll: (key) => {
      const docs: number[] = [];
      let slot = nextWithId(idTable, stored, key, key.hash);
      while (slot !== -1) {
        docs.push((idTable[slot * 2] as number) - 1);
        slot = nextWithId(idTable, stored, key, slot + 1);
      }
      return docs.toSorted((a, b) => a - b);
    },
    stored: (doc) => ({
      kind: kind(doc),
      id: stored.id(doc),
      routing: stored.routing(doc),
      source: stored.source(doc),
      seqNo: seqNos.valueAt(doc),
      primaryTerm: primaryTerms.valueAt(doc),
      version: versions.valueAt(doc),
    }),
    storedFields: stored,
    id: (doc) => stored.id(doc),
    source: (doc) => stored.source(doc),
    seqNo: (doc) => seqNos.valueAt(doc),
    primaryTerm: (doc) => primaryTerms.valueAt(doc),
    version: (doc) => versions.valueAt(doc),
    kind,
    operations: (from, to) => operationsOf(stored, seqNoPoints, from, to),
  };
}

/**
 * Documents of the operations in a range of sequence numbers, in that order. Nested and failed documents share or
 * lack a sequence number and are filtered out.
 */
function operationsOf(
  stored: StoredFields,
  points: Points,
  fromSeqNo: number,
  toSeqNo: number,
): Int32Array {
  const from = points.lowerBound(fromSeqNo);
  const docs = points.docs.subarray(from, Math.max(from, points.upperBound(toSeqNo)));
  return docs.filter((doc) => {
    const kind = stored.kind(doc);
    return kind === KIND_INDEX || kind === KIND_DELETE || kind === KIND_NOOP;
  });
}
