/**
 * Search contexts (`SearchService`, `ReaderContext`): readers that stay open between requests, for a fetch phase, a
 * scroll, a point in time. A context keeps its segments and live docs as they were (INV-CONTEXT-1), and ends when it
 * is freed, when its keep-alive has passed, or with its copy.
 *
 * A keep-alive is only extended. The reaper runs at intervals, so a context lives up to `search.keep_alive_interval`
 * longer.
 */
import { clusterSetting, type ClusterState } from "@orrery/cluster-state";
import type { Clock, HandlerContext, RequestContext, RequestName } from "@orrery/ports";
import type { ShardView } from "@orrery/query";
import { OperationError, type JsonObject, type Problem } from "@orrery/stdx";
import type { ShardCopy } from "../copy/shard-copy.ts";
import type { SegmentEntry } from "../engine/types.ts";
import { checkKeepAlive, checkOpen, missingContext, type ContextKind } from "./context-limits.ts";
import type { ScrollState } from "./scroll-state.ts";

/** An open context, changed in place. */
export interface SearchContext {
  readonly id: string;
  readonly kind: ContextKind;
  readonly copy: ShardCopy;
  /** The whole copy; each request sees it as its restrictions say (`restrictions.ts`). */
  readonly view: ShardView;
  readonly segments: readonly SegmentEntry[];
  /** The principal that opened it (`ownerOf`). */
  readonly owner: string | undefined;
  /** The request that opened it, and the spread request that it is a part of. */
  readonly openedBy: readonly RequestName[];
  /** Monotonic time of the opening; `lastUsedMs` is monotonic, too. */
  readonly openedMs: number;
  /** Set after the first page of a scroll. */
  scroll: ScrollState | undefined;
  /** The body of the last query phase until its fetch phase, so that it is parsed once. */
  search: ReadBody | undefined;
  pointInTime: { readonly id: string; readonly createdMs: number } | undefined;
  keepAliveMs: number;
  lastUsedMs: number;
  /** Requests that use it now; it does not expire meanwhile. */
  uses: number;
}

/** A request body in two forms: the bytes received, and the parsed object. */
export interface ReadBody {
  /** The bytes as received. */
  readonly bytes: Uint8Array;
  /** The parsed body. Its parsed request is kept with it (`searchRequestOf`). */
  readonly body: JsonObject;
}

/** The properties of a context to be opened. */
export interface OpenContext {
  readonly kind: ContextKind;
  readonly view: ShardView;
  readonly segments: readonly SegmentEntry[];
  /** The request whose answer carries the id. */
  readonly by: HandlerContext;
  /** The keep-alive; `undefined`: the setting `search.default_keep_alive`. */
  readonly keepAliveMs: number | undefined;
}

/** The contexts of one worker. */
export interface SearchContexts {
  /**
   * Opens a context, which is freed if its request is cancelled before the answer: nobody would know the id.
   * @throws OperationError The limit of its kind, or of the keep-alive, is exceeded.
   */
  open(copy: ShardCopy, options: OpenContext): SearchContext;
  /**
   * Runs `run` with the context, which cannot expire meanwhile.
   * @throws OperationError `search_context_missing_exception`; `security_exception` when another principal has opened
   *   the context, whose totals and positions are of what that principal may see.
   */
  use<T>(
    used: { readonly id: string; readonly owner: string | undefined },
    run: (context: SearchContext) => Promise<T>,
  ): Promise<T>;
  /**
   * Extends the keep-alive of a context; `keepAliveMs` of `undefined`: to the default.
   * @throws OperationError The keep-alive is too long.
   */
  extend(context: SearchContext, keepAliveMs: number | undefined): void;
  find(id: string): SearchContext | undefined;
  /** Frees a context; `false`: it was not open. */
  free(id: string): boolean;
  /** Frees the contexts of a request whose answer was not read and never will be. */
  freeUnread(request: RequestName): void;
  closeAll(copy: ShardCopy): void;
  of(copy: ShardCopy): readonly SearchContext[];
}

export function createSearchContexts(options: {
  readonly clock: Clock;
  /** Identifies this run of the worker: ids of an earlier run find nothing. */
  readonly session: string;
  readonly intervalMs: number;
  readonly state: () => ClusterState | undefined;
}): SearchContexts {
  const { clock, session } = options;
  const contexts = new Map<string, SearchContext>();
  let last = 0;
  let isReaperArmed = false;

  const remove = (context: SearchContext): boolean => {
    if (!contexts.delete(context.id)) return false;
    noteEnd(context, clock.monotonicMs());
    return true;
  };
  const reap = (): void => {
    const nowMs = clock.monotonicMs();
    for (const context of [...contexts.values()]) {
      const { uses, lastUsedMs, keepAliveMs } = context;
      if (uses === 0 && nowMs - lastUsedMs > keepAliveMs) remove(context);
    }
  };
  const armReaper = (): void => {
    if (isReaperArmed || contexts.size === 0) return;
    isReaperArmed = true;
    clock.setTimer(options.intervalMs, () => {
      isReaperArmed = false;
      reap();
      armReaper();
    });
  };
  const checked = (kind: ContextKind, keepAliveMs: number | undefined): number => {
    if (keepAliveMs === undefined) return defaultKeepAliveMs(options.state());
    checkKeepAlive(options.state(), kind, keepAliveMs);
    return keepAliveMs;
  };
  return {
    open(copy, { kind, view, segments, by, keepAliveMs }) {
      checkOpen(options.state(), kind, contexts.values());
      const keptMs = checked(kind, keepAliveMs);
      last += 1;
      const context: SearchContext = {
        id: `${session}:${last}`,
        kind,
        copy,
        view,
        segments,
        owner: ownerOf(by),
        openedBy: by.partOf === undefined ? [by.request] : [by.request, by.partOf],
        openedMs: clock.monotonicMs(),
        scroll: undefined,
        search: undefined,
        pointInTime: undefined,
        keepAliveMs: keptMs,
        lastUsedMs: clock.monotonicMs(),
        uses: 0,
      };
      contexts.set(context.id, context);
      by.cancellation.onCancel(() => void remove(context));
      armReaper();
      return context;
    },
    async use({ id, owner }, run) {
      const context = contexts.get(id);
      if (context === undefined) throw new OperationError(missingContext(id));
      if (context.owner !== owner) throw new OperationError(wrongUser);
      context.uses += 1;
      try {
        return await run(context);
      } finally {
        context.uses -= 1;
        context.lastUsedMs = clock.monotonicMs();
      }
    },
    extend(context, keepAliveMs) {
      const longerMs = checked(context.kind, keepAliveMs);
      context.keepAliveMs = Math.max(context.keepAliveMs, longerMs);
    },
    find: (id) => contexts.get(id),
    free: (id) => {
      const context = contexts.get(id);
      return context !== undefined && remove(context);
    },
    freeUnread(request) {
      for (const context of [...contexts.values()])
        if (context.openedBy.some((name) => isSameRequest(name, request))) remove(context);
    },
    closeAll(copy) {
      for (const context of [...contexts.values()]) if (context.copy === copy) remove(context);
    },
    of: (copy) => [...contexts.values()].filter((context) => context.copy === copy),
  };
}

function isSameRequest(a: RequestName, b: RequestName): boolean {
  return a.correlationId === b.correlationId && a.endpoint === b.endpoint && a.from === b.from;
}

/**
 * The principal of a request with its roles, on which restrictions depend, as text; `undefined`: the request has no
 * principal.
 */
export function ownerOf({ caller: { principal } }: RequestContext): string | undefined {
  return principal === undefined ? undefined : JSON.stringify([principal.name, ...principal.roles]);
}

/**
 * Whether a request may free the context or learn of it: its principal is the context's owner, or no task has sent it, as
 * with a node's own work.
 */
export function isTheirs({ owner }: SearchContext, asker: RequestContext): boolean {
  return asker.parentTask === undefined || owner === ownerOf(asker);
}

const wrongUser: Problem = {
  type: "security_exception",
  reason: "Wrong user in reader context",
  status: 403,
};

function defaultKeepAliveMs(state: ClusterState | undefined): number {
  return state === undefined ? 300_000 : clusterSetting(state, "search.default_keep_alive");
}

/** Counts scrolls and points in time when they end, as the product does. */
function noteEnd({ kind, copy, openedMs }: SearchContext, nowMs: number): void {
  const { counters } = copy;
  if (kind === "scroll") {
    counters.scrollTotal += 1;
    counters.scrollMs += nowMs - openedMs;
  } else if (kind === "point-in-time") {
    counters.pitTotal += 1;
    counters.pitMs += nowMs - openedMs;
  }
}
