/**
 * Readers that stay open between requests: for the fetch phase, a scroll, a point in time. A context keeps its segments
 * and live documents as they were; it ends when it is freed, when its keep-alive has passed, or with its copy.
 */
import { clusterSetting, type ClusterState } from "@orrery/cluster-state";
import type { Clock } from "@orrery/ports";
import type { ShardView } from "@orrery/query";
import { OperationError } from "@orrery/stdx";
import type { ShardCopy } from "../copy/shard-copy.ts";

export interface SearchContext {
  readonly id: string;
  readonly copy: ShardCopy;
  readonly view: ShardView;
  readonly isScroll: boolean;
  keepAliveMs: number;
  lastUsedMs: number;
  uses: number;
}

export interface SearchContexts {
  open(
    copy: ShardCopy,
    view: ShardView,
    options: { readonly keepAliveMs: number; readonly isScroll: boolean },
  ): SearchContext;
  /** Runs while the context cannot expire. Throws `search_context_missing_exception`. */
  use<T>(id: string, run: (context: SearchContext) => Promise<T>): Promise<T>;
  extend(id: string, keepAliveMs: number): void;
  free(id: string): boolean;
  closeAll(copy: ShardCopy): void;
  countOf(copy: ShardCopy): number;
}

const DEFAULT_KEEP_ALIVE_MS = 300_000;

export function createSearchContexts(options: {
  readonly clock: Clock;
  /** Names this run of the worker: ids of an earlier one are not found. */
  readonly session: string;
  readonly state: () => ClusterState | undefined;
}): SearchContexts {
  const { clock, session } = options;
  const contexts = new Map<string, SearchContext>();
  let last = 0;
  let isReaperArmed = false;

  const setting = (key: string, otherwise: number): number => {
    const state = options.state();
    return state === undefined ? otherwise : Number(clusterSetting(state, key));
  };
  const armReaper = (): void => {
    if (isReaperArmed || contexts.size === 0) return;
    isReaperArmed = true;
    clock.setTimer(setting("search.keep_alive_interval", 60_000), () => {
      isReaperArmed = false;
      const nowMs = clock.monotonicMs();
      for (const [id, context] of [...contexts]) {
        if (context.uses === 0 && nowMs - context.lastUsedMs > context.keepAliveMs)
          contexts.delete(id);
      }
      armReaper();
    });
  };
  return {
    open(copy, view, { keepAliveMs, isScroll }) {
      if (isScroll) checkScrolls(contexts, setting("search.max_open_scroll_context", 500));
      last += 1;
      const id = `${session}:${last}`;
      const context: SearchContext = {
        id,
        copy,
        view,
        isScroll,
        keepAliveMs:
          keepAliveMs > 0
            ? keepAliveMs
            : setting("search.default_keep_alive", DEFAULT_KEEP_ALIVE_MS),
        lastUsedMs: clock.monotonicMs(),
        uses: 0,
      };
      contexts.set(id, context);
      armReaper();
      return context;
    },
    async use(id, run) {
      const context = contexts.get(id);
      if (context === undefined) throw missing(id);
      context.uses += 1;
      try {
        return await run(context);
      } finally {
        context.uses -= 1;
        context.lastUsedMs = clock.monotonicMs();
      }
    },
    extend(id, keepAliveMs) {
      const context = contexts.get(id);
      if (context === undefined) throw missing(id);
      if (keepAliveMs > 0) context.keepAliveMs = keepAliveMs;
      context.lastUsedMs = clock.monotonicMs();
    },
    free: (id) => contexts.delete(id),
    closeAll(copy) {
      for (const [id, context] of [...contexts]) if (context.copy === copy) contexts.delete(id);
    },
    countOf: (copy) => [...contexts.values()].filter((context) => context.copy === copy).length,
  };
}

function checkScrolls(contexts: ReadonlyMap<string, SearchContext>, max: number): void {
  const open = [...contexts.values()].filter(({ isScroll }) => isScroll).length;
  if (open < max) return;
  const reason =
    `Trying to create too many scroll contexts. Must be less than or equal to: [${max}].` +
    ` This limit can be set by changing the [search.max_open_scroll_context] setting.`;
  throw new OperationError({ type: "rejected_execution_exception", reason, status: 429 });
}

function missing(id: string): OperationError {
  const number = id.slice(id.indexOf(":") + 1);
  return new OperationError({
    type: "search_context_missing_exception",
    reason: `No search context found for id [${number}]`,
    status: 404,
  });
}
