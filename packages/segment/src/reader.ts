/** Opens a segment: checks the file, then hands out its parts as views, each made when first asked for. */
import { assert, defined } from "@orrery/stdx";
import { openBinaryColumn } from "./binary.ts";
import { createDocSet } from "./bits.ts";
import { CorruptFileError, openFile, type OpenFile } from "./file.ts";
import { nextWithId } from "./id-index.ts";
import type { FieldEntry, SegmentDirectory } from "./layout.ts";
import { isLive } from "./live-docs.ts";
import { openNumberColumn, openPoints } from "./numbers.ts";
import { openOrdinalColumn } from "./ordinals.ts";
import { KIND_DELETE, KIND_INDEX, KIND_NOOP, StoredFields } from "./stored.ts";
import { openDictionary } from "./term-dictionary.ts";
import { openTerms } from "./terms.ts";
import type {
  BinaryColumn,
  DocSet,
  NumberColumn,
  OperationKind,
  OrdinalColumn,
  Points,
  SegmentFile,
  SegmentReader,
  TermDictionary,
  Terms,
} from "./types.ts";

export interface OpenOptions {
  /** Skips the checksum: the bytes never left this process. */
  readonly isTrusted?: boolean;
}

/** Throws `CorruptFileError`. */
export function openSegment(
  files: readonly SegmentFile[],
  options: OpenOptions = {},
): SegmentReader {
  const [main] = files;
  assert(main !== undefined, "a segment has a file");
  const file = openFile(main, options.isTrusted ?? false);
  const directory = readDirectory(main.name, file.directory);
  return createReader(files, file, directory);
}

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

function createReader(
  files: readonly SegmentFile[],
  file: OpenFile,
  directory: SegmentDirectory,
): SegmentReader {
  const { maxDoc, rootCount } = directory;
  const stored = new StoredFields(file, directory.stored);
  const idTable = file.ints(directory.idTable);
  const seqNos = openNumberColumn(file, directory.seqNos, maxDoc);
  const seqNoPoints = openPoints(file, directory.seqNoPoints);
  const primaryTerms = openNumberColumn(file, directory.primaryTerms, maxDoc);
  const versions = openNumberColumn(file, directory.versions, maxDoc);
  const systemNumbers = new Map([
    ["_seq_no", seqNos],
    ["_primary_term", primaryTerms],
    ["_version", versions],
  ]);
  const entries = new Map(directory.fields.map((entry) => [entry.info.name, entry]));
  const views = createFieldViews(file, entries, maxDoc);
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
  const reader: SegmentReader = {
    name: directory.name,
    maxDoc,
    rootCount,
    sizeBytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
    minSeqNo: directory.minSeqNo,
    maxSeqNo: directory.maxSeqNo,
    fields: directory.fields.map(({ info }) => info),
    files,
    roots,
    field: (name) => entries.get(name)?.info,
    terms: views.terms,
    norms: views.norms,
    numbers: (name) => systemNumbers.get(name) ?? views.numbers(name),
    ordinals: views.ordinals,
    binary: views.binary,
    points: (name) => (name === "_seq_no" ? seqNoPoints : views.points(name)),
    documentsWith: views.documentsWith,
    find: (key, live) => {
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
    id: (doc) => stored.id(doc),
    source: (doc) => stored.source(doc),
    seqNo: (doc) => seqNos.valueAt(doc),
    primaryTerm: (doc) => primaryTerms.valueAt(doc),
    version: (doc) => versions.valueAt(doc),
    kind,
    operations: (from, to) => operationsOf(stored, seqNoPoints, from, to),
  };
  storedOf.set(reader, stored);
  return reader;
}

const storedOf = new WeakMap<SegmentReader, StoredFields>();

/** The records behind a reader, which merges copy as they are. */
export function storedFieldsOf(reader: SegmentReader): StoredFields {
  return defined(storedOf.get(reader), "stored fields of a reader that openSegment did not make");
}

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

interface FieldViews {
  terms(field: string): Terms | undefined;
  norms(field: string): Uint8Array | undefined;
  numbers(field: string): NumberColumn | undefined;
  ordinals(field: string): OrdinalColumn | undefined;
  binary(field: string): BinaryColumn | undefined;
  points(field: string): Points | undefined;
  documentsWith(field: string): DocSet | undefined;
}

function createFieldViews(
  file: OpenFile,
  entries: ReadonlyMap<string, FieldEntry>,
  maxDoc: number,
): FieldViews {
  /** Makes a view at the first request and keeps it. */
  const lazily = <View>(
    make: (entry: FieldEntry) => View | undefined,
  ): ((field: string) => View | undefined) => {
    const made = new Map<string, View | undefined>();
    return (field) => {
      const known = made.get(field);
      if (known !== undefined) return known;
      const entry = entries.get(field);
      const view = entry === undefined ? undefined : make(entry);
      if (view !== undefined) made.set(field, view);
      return view;
    };
  };
  const norms = lazily(({ norms: section }) =>
    section === undefined ? undefined : file.bytes(section),
  );
  const dictionary = lazily(({ dictionary: entry }): TermDictionary | undefined =>
    entry === undefined
      ? undefined
      : openDictionary(entry.size, file.ints(entry.offsets), file.bytes(entry.bytes)),
  );
  return {
    norms,
    terms: lazily(({ info, inverted }) => {
      const terms = dictionary(info.name);
      if (inverted === undefined || terms === undefined) return undefined;
      return openTerms(file, { info, inverted, dictionary: terms, norms: norms(info.name) });
    }),
    numbers: lazily(({ numbers }) =>
      numbers === undefined ? undefined : openNumberColumn(file, numbers, maxDoc),
    ),
    ordinals: lazily(({ info, ordinals }) => {
      const terms = dictionary(info.name);
      if (ordinals === undefined || terms === undefined) return undefined;
      return openOrdinalColumn(file, ordinals, terms, maxDoc);
    }),
    binary: lazily(({ binary }) =>
      binary === undefined ? undefined : openBinaryColumn(file, binary),
    ),
    points: lazily(({ points }) => (points === undefined ? undefined : openPoints(file, points))),
    documentsWith: lazily(({ docCount, present }) =>
      createDocSet(docCount, present === undefined ? undefined : file.ints(present)),
    ),
  };
}
