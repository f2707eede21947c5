/**
 * What a client is told when something cannot be done: OpenSearch's type, reason and HTTP status, as data.
 *
 * A problem crosses the wire as it is. Reducers return it; parsers and request code throw it inside
 * `OperationError`. Programmer errors are `AssertionError` and never become a problem on purpose.
 */

export interface Problem {
  /** Snake case, as on the wire: `index_not_found_exception`. */
  readonly type: string;
  readonly reason: string | null;
  /** HTTP status. */
  readonly status: number;
  /** Printed after `reason`, in this order: `index`, `index_uuid`, `line`, `col`, … */
  readonly metadata?: Readonly<Record<string, Json>>;
  readonly causedBy?: Problem;
  readonly suppressed?: readonly Problem[];
  /** When they differ from the problem itself. */
  readonly rootCauses?: readonly Problem[];
  /** Only inside the cluster, for logs: what was thrown that nobody foresaw. Clients are told the neutral reason. */
  readonly internal?: string;
  /** Only inside the cluster: the coordinating node tries again after the next cluster state. */
  readonly isRetryable?: boolean;
}

export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };
export type JsonObject = { readonly [key: string]: Json | undefined };

export class OperationError extends Error {
  override readonly name = "OperationError";
  readonly problem: Problem;

  constructor(given: Problem) {
    const problem = isShort(given) ? given : shortened(given);
    super(`${problem.type}: ${problem.reason}`);
    this.problem = problem;
  }
}

/** Of a reason. The product quotes a value of any length, and several times; nobody reads so much. */
const MOST_CHARACTERS = 32_768;

function isShort({ reason, causedBy, rootCauses }: Problem): boolean {
  if (reason !== null && reason.length > MOST_CHARACTERS) return false;
  if (causedBy !== undefined && !isShort(causedBy)) return false;
  return rootCauses === undefined || rootCauses.every(isShort);
}

/** The beginning and the end of each reason that is too long. */
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
  if (text.length <= MOST_CHARACTERS) return text;
  const half = MOST_CHARACTERS / 2;
  const left = `${text.slice(0, half)} ... ${text.slice(-half)}`;
  // Half of a character cannot be sent.
  return left.replaceAll(/\p{Surrogate}/gu, "");
}

/** The reason of Java's `NumberFormatException`, which quotes the ends of a long text. */
export function forInputString(text: string): string {
  const quoted = text.length > 1000 ? `${text.slice(0, 497)} ... ${text.slice(-498)}` : text;
  return `For input string: "${quoted}"`;
}

export function fail(problem: Problem): never {
  throw new OperationError(problem);
}

export function illegalArgument(reason: string, causedBy?: Problem): OperationError {
  const problem: Problem = { type: "illegal_argument_exception", reason, status: 400 };
  return new OperationError(causedBy === undefined ? problem : { ...problem, causedBy });
}

/** The problem a thrown value stands for. What nobody foresaw is a 500 whose words are for the log. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof OperationError) return thrown.problem;
  const internal = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const reason = "unexpected failure, the log of the node tells more";
  return { type: "exception", reason, status: 500, internal };
}

/** For a log: the reason of a problem, and the own words of what nobody foresaw. */
export function wordsOf(thrown: unknown): string {
  const { internal, reason, type } = problemOf(thrown);
  return internal ?? reason ?? type;
}

/** For a log: where it was thrown, too. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? wordsOf(thrown)) : String(thrown);
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** As the product prints it inside `error`: type, reason, metadata, `caused_by`, `suppressed`. */
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
