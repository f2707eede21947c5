/**
 * Writes of each document as steps of a register with sequence numbers and compare-and-set.
 *
 * GETs of clients are not steps, because the product does not linearise them: a copy shows a write before it is
 * acknowledged, an isolated primary shows writes that will be rolled back, and a lagging node reads from a stale copy.
 * `gets-see-acknowledged-writes` judges which writes a GET must show. Here a GET must show some written value, and a
 * sequence number of a primary term must always have the same content.
 */
import type { Json } from "@orrery/stdx";
import { isWrite, type Operation } from "../history.ts";
import { judgeSteps, type Model, type Step } from "./search.ts";

/** Document at the end of the run, read when no client writes; `null`: it does not exist. */
export interface FinalRead {
  readonly value: Json;
  readonly seqNo: number;
  readonly primaryTerm: number;
}

export type FinalReads = ReadonlyMap<string, FinalRead | null>;

/** State of a document between two steps. */
interface Register {
  readonly exists: boolean;
  /** Value of an existing document; `undefined` after an update whose result depends on the previous version. */
  readonly value: Json | undefined;
  /** Sequence number of the last write, or of the last write for which it is known. */
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly isExact: boolean;
}

const register: Model<Register> = {
  initial: { exists: false, value: undefined, seqNo: -1, primaryTerm: 0, isExact: true },
  // A state with a known position is identified by it.
  identify: ({ exists, value, seqNo, isExact }) =>
    isExact ? seqNo : `${exists} ${seqNo} ${textOf(value)}`,
};

export interface Anomaly {
  readonly says: string;
  /** Operations on the document. */
  readonly operations: readonly Operation[];
}

/** First document whose writes no order explains, with a sentence about it; `undefined` if there is none. */
export function findAnomaly(
  operations: readonly Operation[],
  keyOf: (operation: Operation) => string | undefined,
  finalReads: FinalReads,
): Anomaly | undefined {
  for (const [key, ours] of byDocument(operations, keyOf)) {
    const says = anomalyOf(ours, finalReads.get(key));
    if (says !== undefined) return { says: `${key}: ${says}`, operations: ours };
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
  const odd = contradictoryRead(ours, finalRead);
  if (odd !== undefined) return odd;
  const writes = ours.filter((one) => isWrite(one) && one.outcome !== "failed");
  // A conflict without a matching acknowledged write may be with a write that was lost, or with the request's own first
  // attempt.
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
  // A node that loses the primary retries at the next one, so a write may have been executed once more, earlier. A
  // conditional retry then conflicts with its own first attempt.
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

/** Earlier execution of the same write, which may or may not have happened. */
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
  // The write that caused a conflict was executed before the conflict was returned.
  const isBounded = isConflict(write);
  return {
    invokedMs,
    returnedMs: isBounded ? (write.returnedMs ?? returnedMs) : returnedMs,
    isOptional: isBounded,
    apply: (before) => (before.seqNo < seqNo ? apply(before) : undefined),
  };
}

/**
 * Step of a conflict: the condition does not match the document, which is the acknowledged write named in the answer.
 */
function conflictStep(write: Operation): Step<Register> {
  const { invokedMs, returnedMs = Infinity, ifSeqNo, ifPrimaryTerm, conflictSeqNo = -1 } = write;
  return {
    invokedMs,
    returnedMs,
    apply: (before) => {
      if (!before.exists) return undefined;
      // A later primary term may assign a sequence number again if the write that had it was lost.
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
  // A conflict without a condition is with a version, or with the request's own first attempt, executed before.
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

/** True for an update without a change, which returns the version of the write that it found. */
function isUnchangedBy({ seqNo, wrote }: Operation, before: Register): boolean {
  if (!before.exists) return false;
  const isValue = wrote === undefined || before.value === undefined || isSame(wrote, before.value);
  return isValue && (!before.isExact || before.seqNo === seqNo);
}

/** True if the condition of a compare-and-set holds, or may hold because the last write's position is unknown. */
function isMet(before: Register, ifSeqNo: number, ifPrimaryTerm: number | undefined): boolean {
  if (!before.exists) return false;
  if (!before.isExact) return ifSeqNo > before.seqNo;
  const isTermMet = ifPrimaryTerm === undefined || ifPrimaryTerm === before.primaryTerm;
  return ifSeqNo === before.seqNo && isTermMet;
}

/** Step of the final read, after all others. */
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

/**
 * Sentence about a read of a value that no client wrote, or whose content differs from that acknowledged or read under
 * the same sequence number.
 */
function contradictoryRead(
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
