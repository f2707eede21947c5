/** The base of every package: assertions, ids, units, bytes, randomness, hashes and the shape of a problem. */
export { createIdTable, type IdTable } from "./id-table.ts";
export { assert, AssertionError, defined, unreachable } from "./assert.ts";
export { createBoundedQueue, type BoundedQueue } from "./bounded-queue.ts";
export { byteSizeOf, formatByteSize, parseByteSize } from "./byte-size.ts";
export {
  areShared,
  base64ToBytes,
  bytesEqual,
  bytesToBase64Url,
  shortBytes,
  shortCopy,
  shortJoin,
  putText,
  shortText,
  compareBytes,
  concatBytes,
  emptyBytes,
  sharedBytes,
  utf8Decode,
  utf8Encode,
  utf8EncodeInto,
} from "./bytes.ts";
export { lookup, setKey, setKeys } from "./client-keys.ts";
export { builtInPrototypes, closePrototypes, closeRealm } from "./closed-prototypes.ts";
export { crc32c } from "./crc32c.ts";
export { formatDuration, parseDuration } from "./duration.ts";
export { isGlob, matchesGlob } from "./glob.ts";
export { inHashOrder } from "./hash-order.ts";
export { createHeap, type Heap } from "./heap.ts";
export { createPool, type Pool, type PoolCounts } from "./pool.ts";
export {
  newDocumentId,
  newUuid,
  type AllocationId,
  type Brand,
  type IndexUuid,
  type NodeId,
} from "./ids.ts";
export { createKeyedValues, type KeyedValues, type ValueKey } from "./keyed-values.ts";
export { appendAll, greatest, latin1Text, least } from "./long-lists.ts";
export { javaText, jsonNumber } from "./java-text.ts";
export { jsonDigits } from "./json-digits.ts";
export { jsonKey } from "./json-key.ts";
export {
  compileJavaPattern,
  type JavaMatch,
  type JavaPattern,
} from "./java-pattern/java-pattern.ts";
export { groupText, replaceAllJava } from "./java-replacement.ts";
export { hashRouting, murmur3 } from "./murmur3.ts";
export { hasOwnCause, isForeignProblem } from "./foreign-problem.ts";
export {
  fail,
  forInputString,
  illegalArgument,
  isJsonObject,
  OperationError,
  problemJson,
  problemOf,
  stackOf,
  wordsOf,
  type Json,
  type JsonObject,
  type Problem,
} from "./problem.ts";
export { createRandom, type Random } from "./random.ts";
export { compareText, similar, similarity } from "./similarity.ts";
export { createByteReader, createByteWriter, type ByteReader, type ByteWriter } from "./varint.ts";
