/**
 * Readers that stay open between requests: for the fetch phase, a scroll, a point in time. A context keeps its segments
 * and live documents as they were (INV-CONTEXT-1); it ends when it is freed, when its keep-alive has passed, or with its copy.
 *
 * Source: `SearchService`, `ReaderContext`. A keep-alive is only made longer, never shorter; the reaper looks now and then, so
 * that a context lives up to `search.keep_alive_interval` longer.
 */
import { clusterSetting, type ClusterState } from "@orrery/cluster-state";
import type { Clock, HandlerContext, RequestContext, RequestName } from "@orrery/ports";
import type { ShardView } from "@orrery/query";
import { OperationError, type JsonObject, type Problem } from "@orrery/stdx";
import type { ShardCopy } from "../copy/shard-copy.ts";
import type { SegmentEntry } from "../engine/types.ts";
import { checkKeepAlive, checkOpen, missingContext, type ContextKind } from "./context-limits.ts";
import type { ScrollState } from "./scroll-state.ts";

export interface SearchContext {
  readonly id: string;
  readonly kind: ContextKind;
  readonly copy: ShardCopy;
  readonly view: ShardView;
  readonly segments: readonly SegmentEntry[];
  /** Whose it is (`ownerOf`). */
  readonly owner: string | undefined;
  /** The request, and the one that it is a part of. */
  readonly openedBy: readonly RequestName[];
  readonly openedMs: number;
  scroll: ScrollState | undefined;
  /** The body of the last query phase, from there to its fetch phase: it is parsed once for both. */
  search: ReadBody | undefined;
  pointInTime: { readonly id: string; readonly createdMs: number } | undefined;
  keepAliveMs: number;
  lastUsedMs: number;
  uses: number;
}

export interface ReadBody {
  /** As they came. */
  readonly bytes: Uint8Array;
  /** Carries its parsed request; see `searchRequestOf`. */
  readonly body: JsonObject;
}

export interface OpenContext {
  readonly kind: ContextKind;
  readonly view: ShardView;
  readonly segments: readonly SegmentEntry[];
  /** The request that is told the id. */
  readonly by: HandlerContext;
  /** `undefined`: `search.default_keep_alive`. */
  readonly keepAliveMs: number | undefined;
}

export interface SearchContexts {
  /**
   * Refused when it would be one too many of its kind, or is to be kept for too long. Freed when its request is given up before it has
   * been answered.
   */
  open(copy: ShardCopy, options: OpenContext): SearchContext;
  /**
   * Runs while the context cannot expire. Throws `search_context_missing_exception`, or `security_exception` when another principal
   * has opened it: its totals and positions are of what that one may see.
   */
  use<T>(
    used: { readonly id: string; readonly owner: string | undefined },
    run: (context: SearchContext) => Promise<T>,
  ): Promise<T>;
  /** `undefined`: the default. Throws when it is too long. */
  extend(context: SearchContext, keepAliveMs: number | undefined): void;
  find(id: string): SearchContext | undefined;
  free(id: string): boolean;
  /** The requester has not read the answer with the id, and never will. */
  freeUnread(request: RequestName): void;
  closeAll(copy: ShardCopy): void;
  of(copy: ShardCopy): readonly SearchContext[];
}

export function createSearchContexts(options: {
  readonly clock: Clock;
  /** Names this run of the worker: ids of an earlier one are not found. */
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

/** The principal of a request with its roles, by which restrictions are decided; `undefined`: nobody was authenticated. */
export function ownerOf({ caller: { principal } }: RequestContext): string | undefined {
  return principal === undefined ? undefined : JSON.stringify([principal.name, ...principal.roles]);
}

/** Whether a request may end this context, or hear of it. A node's own work may. */
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

/** Scrolls and points in time are counted when they are over, as the product counts them. */
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
