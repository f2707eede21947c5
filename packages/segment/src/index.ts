/**
 * Immutable segments after Lucene's model: `createSegmentWriter` → `flush` → `openSegment`; `mergeSegments`; merge
 * policy; live docs; BM25.
 */
export { bm25Idf, createBm25Scorer, type Bm25Statistics } from "./bm25.ts";
export { directoryOffset, TAIL_BYTES } from "./directory-offset.ts";
export { CorruptFileError } from "./file.ts";
export {
  allLive,
  decodeLiveDocs,
  deleteDocs,
  encodeLiveDocs,
  isLive,
  liveDocsOf,
} from "./live-docs.ts";
export {
  deadAfterMerge,
  mergeInSteps,
  mergeSegments,
  type MergeInput,
  type MergeOptions,
  type MergeResult,
} from "./merge.ts";
export {
  DEFAULT_TIERED_MERGE_SETTINGS,
  findExpungeMerges,
  findForcedMerges,
  findMerges,
  type SegmentSize,
  type TieredMergeSettings,
} from "./merge-policy.ts";
export { createIdKey } from "./id-index.ts";
export { composeSegmentParts, coreSegmentParts } from "./parts/table.ts";
export { openSegment, type OpenOptions } from "./reader.ts";
export { byte4ToInt, intToByte4 } from "./small-float.ts";
export { createSegmentWriter, UnindexableError } from "./writer.ts";
export { BLOCK_SIZE, MAX_TERM_BYTES, NO_MORE_DOCS } from "./types.ts";
export type {
  BinaryColumn,
  Bm25Scorer,
  DocSet,
  DocumentInput,
  FieldInfo,
  FieldSpec,
  FieldStats,
  FieldValue,
  IdKey,
  IndexOptions,
  LiveDocs,
  NumberColumn,
  OperationKind,
  OrdinalColumn,
  Points,
  Postings,
  SegmentFile,
  SegmentImage,
  SegmentReader,
  WholeSegmentReader,
  SegmentWriter,
  StoredDocument,
  TermCursor,
  TermDictionary,
  Terms,
} from "./types.ts";
export type {
  Columns,
  OpenField,
  PartBuffer,
  PartEntry,
  PartMerge,
  PartSource,
  SectionArray,
  SectionReader,
  SectionWriter,
  SegmentPart,
  SegmentParts,
  WrittenField,
} from "./part.ts";
