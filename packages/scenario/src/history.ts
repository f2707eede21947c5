/** What clients know at the end: every operation they invoked, with what they were told. */
import { isJsonObject, type Json } from "@orrery/stdx";

export interface History {
  /** In the order of invocation. */
  readonly operations: Operation[];
}

export type OperationKind =
  /** Writes a whole document, whether or not it exists. */
  | "index"
  /** Writes a document only when it does not exist. */
  | "create"
  | "update"
  | "delete"
  | "get"
  | "search"
  /** Opens a scroll or a point in time, and reads it page by page. */
  | "pages"
  /** Any other request. */
  | "request";

/** `ok`: it was done, and what it answered is true. `failed`: it was not done. `unknown`: it may have been done, or be done yet. */
export type OperationOutcome = "ok" | "failed" | "unknown";

export interface Operation {
  readonly kind: OperationKind;
  readonly client: string;
  /** Of the request; the operations of a bulk request share it. */
  readonly request: number;
  /** The node that was asked. */
  readonly node: string;
  /** As the answer named it, where it did: an alias and a data stream are names of other indices. */
  index?: string;
  /** The name that was asked for, where the answer named another. */
  alias?: string;
  /** Absent until an answer tells the id that was made for it. */
  document?: string;
  /** `METHOD /path` of what is no document operation. */
  readonly operation?: string;
  /** When the client sent it, in milliseconds of the run. */
  readonly invokedMs: number;
  /** When it was told; absent while it waits, and when it gave up. */
  returnedMs?: number;
  /** When it stopped waiting without an answer: its time was up, or its connection was lost. */
  gaveUpMs?: number;
  /** How long it would have waited. */
  readonly timeoutMs?: number;
  outcome: OperationOutcome;
  /** HTTP status, of the item within a bulk request; absent without an answer. */
  status?: number;
  /** What stands for the source it wrote (`contentOf`); absent where that depends on what was there. */
  readonly wrote?: Json;
  /** An update that changed nothing. */
  isNoop?: boolean;
  /** What stands for the source it was shown; `null` when there was no such document. */
  read?: Json;
  /** Parameter of a write that is not acknowledged before searches find it: it waits for the next refresh, or makes one. */
  readonly refresh?: "wait_for" | "true";
  /** No id was sent with the document. */
  readonly hasAutoId?: true;
  /** Of a conflict: the sequence number of the document that was found; -1 when none was. */
  conflictSeqNo?: number;
  /** The condition of a compare-and-set. */
  readonly ifSeqNo?: number;
  readonly ifPrimaryTerm?: number;
  /** As it was told. */
  seqNo?: number;
  primaryTerm?: number;
  version?: number;
  /** Of a search: the documents that were found, as far as they were shown, and their total. */
  hits?: readonly Hit[];
  total?: number;
  /** Of a search, or of what opened pages: every shard answered. */
  isWhole?: boolean;
  /** What was read page by page, from the moment between invocation and return: in their order. */
  readonly pages?: Page[];
  /** Of pages: nothing is left behind the last one. */
  isRead?: boolean;
  /** A search that every document matches. */
  readonly isForAll?: boolean;
  /** A refresh; it is `ok` when no copy failed. */
  readonly isRefresh?: boolean;
}

/** A document that was found, and what stands for its source. */
export interface Hit {
  readonly document: string;
  readonly value: Json;
}

export interface Page {
  readonly hits: readonly Hit[];
  readonly total?: number;
  /** Every shard answered. */
  readonly isWhole: boolean;
}

export function newHistory(): History {
  return { operations: [] };
}

/** What stands for a document: the `value` of its source, or all of a source that has none. */
export function contentOf(source: Json | undefined): Json | undefined {
  return isJsonObject(source) ? (source["value"] ?? source) : undefined;
}

/**
 * The history with each operation on the index that it may have reached. An answer names the index behind an alias or a data stream;
 * an operation without an answer may have reached each index that others reached by the same name.
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

/** Writes that a client was told are done. */
export function acknowledgedWrites(history: History): readonly Operation[] {
  return history.operations.filter((operation) => operation.outcome === "ok" && isWrite(operation));
}
