/**
 * Problems: OpenSearch's type, reason and HTTP status of something that cannot be done, as data. A problem crosses
 * the wire as it is. Reducers return it; parsers and request code throw it inside `OperationError`. A programmer
 * error is an `AssertionError`, and is never made a problem on purpose.
 */

/** An operating error, as the product prints it. */
export interface Problem {
  /** In snake case, as on the wire: `index_not_found_exception`. */
  readonly type: string;
  readonly reason: string | null;
  /** HTTP status. */
  readonly status: number;
  /** Printed after `reason`, in this order: `index`, `index_uuid`, `line`, `col`, … */
  readonly metadata?: Readonly<Record<string, Json>>;
  readonly causedBy?: Problem;
  readonly suppressed?: readonly Problem[];
  /** The root causes that the answer lists; absent: the problem is its own. */
  readonly rootCauses?: readonly Problem[];
  /** Within the cluster only, for logs: the text of an unforeseen error, whose `reason` is neutral. */
  readonly internal?: string;
  /** Within the cluster only: the coordinating node retries with the next cluster state. */
  readonly isRetryable?: boolean;
}

/** A JSON value; `bigint` for whole numbers beyond doubles. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };
/** A JSON object; `undefined` members are absent. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** Carries a problem; reasons that are too long are shortened. */
export class OperationError extends Error {
  override readonly name = "OperationError";
  readonly problem: Problem;

  constructor(given: Problem) {
    const problem = isShort(given) ? given : shortened(given);
    super(`${problem.type}: ${problem.reason}`);
    this.problem = problem;
  }
}

/** Characters of a reason. The product quotes a value of any length, and several times. */
const MAX_REASON_LENGTH = 32_768;

function isShort({ reason, causedBy, rootCauses }: Problem): boolean {
  if (reason !== null && reason.length > MAX_REASON_LENGTH) return false;
  if (causedBy !== undefined && !isShort(causedBy)) return false;
  return rootCauses === undefined || rootCauses.every(isShort);
}

/** Keeps the beginning and the end of each reason that is too long. */
function shortened(problem: Problem): Problem {
  const { reason, causedBy, rootCauses } = problem;
  return {
    ...problem,
    reason: reason === null ? null : shortenedText(reason),
    ...(causedBy === undefined ? {} : { causedBy: shortened(causedBy) }),
    ...(rootCauses === undefined ? {} : { rootCauses: rootCauses.map(shortened) }),
  };
}

function shortenedText(text: string): string {
  if (text.length <= MAX_REASON_LENGTH) return text;
  const half = MAX_REASON_LENGTH / 2;
  const left = `${text.slice(0, half)} ... ${text.slice(-half)}`;
  // Half of a surrogate pair cannot be encoded.
  return left.replaceAll(/\p{Surrogate}/gu, "");
}

/** The message of Java's `NumberFormatException`, which quotes both ends of a long text. */
export function forInputString(text: string): string {
  const quoted = text.length > 1000 ? `${text.slice(0, 497)} ... ${text.slice(-498)}` : text;
  return `For input string: "${quoted}"`;
}

export function fail(problem: Problem): never {
  throw new OperationError(problem);
}

/** The error of an `illegal_argument_exception`, status 400. */
export function illegalArgument(reason: string, causedBy?: Problem): OperationError {
  const problem: Problem = { type: "illegal_argument_exception", reason, status: 400 };
  return new OperationError(causedBy === undefined ? problem : { ...problem, causedBy });
}

/** The problem of a thrown value; for an unforeseen one status 500 with a neutral reason, its text in `internal`. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof OperationError) return thrown.problem;
  const internal = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const reason = "unexpected failure, the log of the node tells more";
  return { type: "exception", reason, status: 500, internal };
}

/** For logs: the reason of a problem, or the text of an unforeseen error. */
export function wordsOf(thrown: unknown): string {
  const { internal, reason, type } = problemOf(thrown);
  return internal ?? reason ?? type;
}

/** For logs: the stack of an error. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? wordsOf(thrown)) : String(thrown);
}

/** Whether the value is an object, and neither null nor a list. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members of `error` in an answer: type, reason, metadata, `caused_by`, `suppressed`; not `root_cause`. */
export function problemJson(problem: Problem): JsonObject {
  const { type, reason, metadata, causedBy, suppressed } = problem;
  return {
    type,
    reason,
    ...metadata,
    ...(causedBy === undefined ? {} : { caused_by: problemJson(causedBy) }),
    ...(suppressed === undefined ? {} : { suppressed: suppressed.map(problemJson) }),
  };
}
