/** History of a run: every operation that clients invoked, with the outcome that they observed. */
import { isJsonObject, type Json } from "@orrery/stdx";

export interface History {
  /** Operations in the order of invocation. */
  readonly operations: Operation[];
}

export type OperationKind =
  /** Writes a whole document, whether or not it exists. */
  | "index"
  /** Writes a document only if it does not exist. */
  | "create"
  | "update"
  | "delete"
  | "get"
  | "search"
  /** Opens a scroll or a point in time, and reads it page by page. */
  | "pages"
  /** Any other request. */
  | "request";

/**
 * `ok`: the operation was executed, and its answer counts. `failed`: it was not executed. `unknown`: it may have been
 * executed, or may still be.
 */
export type OperationOutcome = "ok" | "failed" | "unknown";

export interface Operation {
  readonly kind: OperationKind;
  readonly client: string;
  /** Number of the request; the operations of a bulk request share it. */
  readonly request: number;
  /** Node that the request was sent to. */
  readonly node: string;
  /** Index named in the answer, if any: the request may have named an alias or a data stream. */
  index?: string;
  /** Name in the request, if the answer names another. */
  alias?: string;
  /** Document id; absent until an answer contains the id that was generated. */
  document?: string;
  /** `METHOD /path` of an operation that is not about a document. */
  readonly operation?: string;
  /** Time of sending, in milliseconds since the start of the run. */
  readonly invokedMs: number;
  /** Time of the answer; absent while the client waits, and after it gave up. */
  returnedMs?: number;
  /** Time at which the client gave up without an answer, after its time-out or the loss of its connection. */
  gaveUpMs?: number;
  /** Time-out of the client. */
  readonly timeoutMs?: number;
  outcome: OperationOutcome;
  /** HTTP status, of the item within a bulk request; absent without an answer. */
  status?: number;
  /** Value that identifies the written source (`contentOf`); absent if it depends on the previous version. */
  readonly wrote?: Json;
  /** The update changed nothing. */
  isNoop?: boolean;
  /** Value that identifies the returned source; `null` if the document did not exist. */
  read?: Json;
  /**
   * `refresh` parameter of a write: its answer comes when searches find the document, after the next refresh or a
   * forced one.
   */
  readonly refresh?: "wait_for" | "true";
  /** The document was sent without an id. */
  readonly hasAutoId?: true;
  /** Sequence number of the document that caused a conflict; -1 if there was none. */
  conflictSeqNo?: number;
  /** Condition of a compare-and-set. */
  readonly ifSeqNo?: number;
  readonly ifPrimaryTerm?: number;
  /** Sequence number in the answer. */
  seqNo?: number;
  primaryTerm?: number;
  version?: number;
  /** Hits of a search as far as they were returned, and their total. */
  hits?: readonly Hit[];
  total?: number;
  /** True if every shard answered the search, or the request that opened pages. */
  isWhole?: boolean;
  /** Pages in order, all read between invocation and return. */
  readonly pages?: Page[];
  /** True if the last page was reached. */
  isRead?: boolean;
  /** True for a search that matches all documents. */
  readonly isForAll?: boolean;
  /** True for a refresh; it is `ok` if no copy failed. */
  readonly isRefresh?: boolean;
}

/** Document in an answer, with the value that identifies its source. */
export interface Hit {
  readonly document: string;
  readonly value: Json;
}

export interface Page {
  readonly hits: readonly Hit[];
  readonly total?: number;
  /** True if every shard answered. */
  readonly isWhole: boolean;
}

export function newHistory(): History {
  return { operations: [] };
}

/** Value that identifies a source: its member `value`, or the whole source if it has none. */
export function contentOf(source: Json | undefined): Json | undefined {
  return isJsonObject(source) ? (source["value"] ?? source) : undefined;
}

/**
 * History with each operation attributed to the index that it reached. An answer names the index behind an alias or a
 * data stream; an operation without an answer is repeated for each index that others reached by the same name.
 */
export function placed({ operations }: History, clusterOf: (node: string) => string): History {
  const reached = new Map<string, Set<string>>();
  for (const { alias, index, node } of operations) {
    if (alias === undefined || index === undefined) continue;
    const key = `${clusterOf(node)}/${alias}`;
    reached.set(key, (reached.get(key) ?? new Set()).add(index));
  }
  if (reached.size === 0) return { operations };
  return {
    operations: operations.flatMap((operation): Operation[] => {
      const { alias, index, document, node } = operation;
      const indices = reached.get(`${clusterOf(node)}/${index}`);
      if (alias !== undefined || document === undefined || indices === undefined)
        return [operation];
      const asked = index === undefined ? {} : { alias: index };
      return [...indices].map((each) => ({ ...operation, ...asked, index: each }));
    }),
  };
}

export function isWrite({ kind }: Operation): boolean {
  return kind === "index" || kind === "create" || kind === "update" || kind === "delete";
}

/** Acknowledged writes. */
export function acknowledgedWrites(history: History): readonly Operation[] {
  return history.operations.filter((operation) => operation.outcome === "ok" && isWrite(operation));
}
