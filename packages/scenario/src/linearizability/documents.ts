/**
 * The writes of each document, as steps of a register with sequence numbers and compare-and-set on them.
 *
 * Reads of clients are not steps, as the product does not make them such: a copy shows a write before it is acknowledged, a primary that was cut
 * off one that will be lost, and a node that lags reads from a copy that is out of date. What a read has to know of is judged by
 * `gets-see-acknowledged-writes`. Here reads must show something that was written, and one sequence number of one primary term must always
 * mean the same content.
 */
import type { Json } from "@orrery/stdx";
import { isWrite, type Operation } from "../history.ts";
import { judgeSteps, type Model, type Step } from "./search.ts";

/** What a document is at the end, read when nobody writes any more; `null`: it does not exist. */
export interface FinalRead {
  readonly value: Json;
  readonly seqNo: number;
  readonly primaryTerm: number;
}

export type FinalReads = ReadonlyMap<string, FinalRead | null>;

/** A document between two steps. */
interface Register {
  readonly exists: boolean;
  /** Of a document that exists: `undefined` after an update whose result depends on what was there. */
  readonly value: Json | undefined;
  /** Of the last write; the last one that is known, when that of a later write is not. */
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly isExact: boolean;
}

const register: Model<Register> = {
  initial: { exists: false, value: undefined, seqNo: -1, primaryTerm: 0, isExact: true },
  // A write whose place is known is known by its place.
  identify: ({ exists, value, seqNo, isExact }) =>
    isExact ? seqNo : `${exists} ${seqNo} ${textOf(value)}`,
};

/** The first document whose writes no order explains, with a sentence about it; `undefined` when there is none. */
export function findAnomaly(
  operations: readonly Operation[],
  keyOf: (operation: Operation) => string | undefined,
  finalReads: FinalReads,
): string | undefined {
  for (const [key, ours] of byDocument(operations, keyOf)) {
    const says = anomalyOf(ours, finalReads.get(key));
    if (says !== undefined) return `${key}: ${says}`;
  }
  return undefined;
}

function byDocument(
  operations: readonly Operation[],
  keyOf: (operation: Operation) => string | undefined,
): Map<string, Operation[]> {
  const documents = new Map<string, Operation[]>();
  for (const operation of operations) {
    const key = keyOf(operation);
    if (key === undefined || (!isWrite(operation) && operation.kind !== "get")) continue;
    const ours = documents.get(key);
    if (ours === undefined) documents.set(key, [operation]);
    else ours.push(operation);
  }
  return documents;
}

function anomalyOf(
  ours: readonly Operation[],
  finalRead: FinalRead | null | undefined,
): string | undefined {
  const odd = oddRead(ours, finalRead);
  if (odd !== undefined) return odd;
  const writes = ours.filter((one) => isWrite(one) && one.outcome !== "failed");
  // A conflict with a write that nobody was told of may be with one that is lost, or with its own first attempt.
  const told = new Set(
    writes.flatMap(({ outcome, seqNo }) => (outcome === "ok" ? (seqNo ?? []) : [])),
  );
  const steps = writes.map((write) =>
    isConflict(write) && told.has(write.conflictSeqNo ?? -1)
      ? conflictStep(write)
      : writeStep(write),
  );
  const final = finalRead === undefined ? [] : [readStep(finalRead)];
  const strict = judgeSteps(register, [...steps, ...final]);
  if (strict.kind !== "impossible") return undefined;
  // A node that lost the primary asks the next one: a write may have happened once more, before. One with a condition then met itself.
  const repeated = writes.filter(isRepeatable).map(earlierStep);
  const lenient = judgeSteps(register, [...steps, ...final, ...repeated]);
  if (lenient.kind !== "impossible") return undefined;
  const stuck = writes[lenient.stuck];
  return stuck === undefined
    ? `no order of its ${writes.length} writes ends with ${JSON.stringify(finalRead)}`
    : `no order of its ${writes.length} writes explains ${describe(stuck)}`;
}

function isRepeatable(write: Operation): boolean {
  const { outcome, ifSeqNo, kind } = write;
  if (isConflict(write)) return true;
  return outcome === "ok" && ifSeqNo === undefined && kind !== "create";
}

function isConflict({ outcome, status, ifSeqNo }: Operation): boolean {
  return outcome === "unknown" && status === CONFLICT && ifSeqNo !== undefined;
}

/** The same write once more, before the one that was acknowledged, or not. */
function earlierStep(write: Operation): Step<Register> {
  const {
    seqNo: _seqNo,
    primaryTerm: _term,
    returnedMs: _returned,
    isNoop: _noop,
    ...rest
  } = write;
  const { status: _status, ...lost } = rest;
  const { invokedMs, returnedMs, apply } = writeStep({ ...lost, outcome: "unknown" });
  const { seqNo = Infinity } = write;
  // The write that a conflict met was done before the conflict was told.
  const isBounded = isConflict(write);
  return {
    invokedMs,
    returnedMs: isBounded ? (write.returnedMs ?? returnedMs) : returnedMs,
    isOptional: isBounded,
    apply: (before) => (before.seqNo < seqNo ? apply(before) : undefined),
  };
}

/** The condition is not met by what is there, and that is the acknowledged write which the answer tells of. */
function conflictStep(write: Operation): Step<Register> {
  const { invokedMs, returnedMs = Infinity, ifSeqNo, ifPrimaryTerm, conflictSeqNo = -1 } = write;
  return {
    invokedMs,
    returnedMs,
    apply: (before) => {
      if (!before.exists) return undefined;
      // A number is given out again in a later term, when the write that had it is lost.
      if (conflictSeqNo === ifSeqNo && before.primaryTerm === ifPrimaryTerm) return undefined;
      if (before.isExact) return before.seqNo === conflictSeqNo ? before : undefined;
      return conflictSeqNo > before.seqNo ? before : undefined;
    },
  };
}

const CONFLICT = 409;

function writeStep(write: Operation): Step<Register> {
  const { kind, outcome, seqNo, primaryTerm = 0, ifSeqNo, ifPrimaryTerm } = write;
  const { returnedMs = Number.POSITIVE_INFINITY } = write;
  const isSure = outcome === "ok";
  // A conflict without a condition is with a version, or with its own first attempt, which was done by then.
  const isOptional = outcome === "unknown" && write.status === CONFLICT;
  const value = kind === "delete" ? undefined : write.wrote;
  return {
    invokedMs: write.invokedMs,
    returnedMs: isSure || isOptional ? returnedMs : Number.POSITIVE_INFINITY,
    isOptional,
    apply: (before) => {
      if (write.isNoop === true) return isUnchangedBy(write, before) ? before : undefined;
      if (isSure && seqNo !== undefined && seqNo <= before.seqNo) return undefined;
      if (kind === "create" && before.exists) return undefined;
      if (ifSeqNo !== undefined && !isMet(before, ifSeqNo, ifPrimaryTerm)) return undefined;
      const isExact = isSure && seqNo !== undefined;
      const known = isExact ? { seqNo, primaryTerm } : before;
      return {
        exists: kind !== "delete",
        value,
        seqNo: known.seqNo,
        primaryTerm: known.primaryTerm,
        isExact,
      };
    },
  };
}

/** An update without a change names the write that it found. */
function isUnchangedBy({ seqNo, wrote }: Operation, before: Register): boolean {
  if (!before.exists) return false;
  const isValue = wrote === undefined || before.value === undefined || isSame(wrote, before.value);
  return isValue && (!before.isExact || before.seqNo === seqNo);
}

/** The condition of a compare-and-set holds; it may hold, when the last write's place is not known. */
function isMet(before: Register, ifSeqNo: number, ifPrimaryTerm: number | undefined): boolean {
  if (!before.exists) return false;
  if (!before.isExact) return ifSeqNo > before.seqNo;
  const isTermMet = ifPrimaryTerm === undefined || ifPrimaryTerm === before.primaryTerm;
  return ifSeqNo === before.seqNo && isTermMet;
}

/** After everything else. */
function readStep(read: FinalRead | null): Step<Register> {
  const lateMs = Number.MAX_SAFE_INTEGER;
  return {
    invokedMs: lateMs,
    returnedMs: lateMs,
    apply: (before) => {
      if (before.exists !== (read !== null)) return undefined;
      if (read === null) return before;
      const isPlace = before.isExact ? before.seqNo === read.seqNo : before.seqNo < read.seqNo;
      const isValue = before.value === undefined || isSame(before.value, read.value);
      return isPlace && isValue ? before : undefined;
    },
  };
}

/** A read of what nobody wrote, or of another content than was acknowledged or read under the same sequence number. */
function oddRead(
  ours: readonly Operation[],
  finalRead: FinalRead | null | undefined,
): string | undefined {
  const reads = [...ours.flatMap(readOf), ...(finalRead ? [finalRead] : [])];
  if (reads.length === 0) return undefined;
  const writes = ours.filter(isWriteOfContent);
  const contents = new Map<number, Read>();
  for (const { outcome, seqNo, primaryTerm, wrote } of writes)
    if (outcome === "ok" && seqNo !== undefined && wrote !== undefined)
      contents.set(seqNo, { value: wrote, seqNo, primaryTerm });
  for (const read of reads) {
    const { value, seqNo, primaryTerm } = read;
    const known = seqNo === undefined ? undefined : contents.get(seqNo);
    const isKnown = known !== undefined && known.primaryTerm === primaryTerm;
    if (isKnown && !isSame(known.value, value))
      return `sequence number ${seqNo} of primary term ${primaryTerm} is ${textOf(known.value)}, and it is ${textOf(value)}`;
    if (!isKnown && !writes.some(({ wrote }) => wrote === undefined || isSame(wrote, value)))
      return `${textOf(value)} was read, and nobody wrote it`;
    if (!isKnown && seqNo !== undefined) contents.set(seqNo, read);
  }
  return undefined;
}

interface Read {
  readonly value: Json;
  readonly seqNo: number | undefined;
  readonly primaryTerm: number | undefined;
}

function readOf({ kind, outcome, read, seqNo, primaryTerm }: Operation): readonly Read[] {
  const isShown = kind === "get" && outcome === "ok" && read !== undefined && read !== null;
  return isShown ? [{ value: read, seqNo, primaryTerm }] : [];
}

function isWriteOfContent({ kind }: Operation): boolean {
  return kind === "index" || kind === "create" || kind === "update";
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || (typeof a === "object" && textOf(a) === textOf(b));
}

function textOf(value: Json | undefined): string {
  return value === undefined ? "" : JSON.stringify(value);
}

function describe({ kind, client, request, outcome, seqNo, ifSeqNo, wrote }: Operation): string {
  const what = wrote === undefined ? "" : ` of ${JSON.stringify(wrote)}`;
  const place = seqNo === undefined ? "" : `, sequence number ${seqNo}`;
  const condition = ifSeqNo === undefined ? "" : `, if it was ${ifSeqNo} before`;
  return `the ${kind}${what} by request ${request} of ${client} (${outcome}${place}${condition})`;
}
