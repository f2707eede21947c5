/**
 * The half of a plugin that shard workers run: actions on copies, repository types, rows of the search language,
 * segment parts, recovery sources.
 */
import type { RecoverySource } from "@orrery/cluster-state";
import type { ActionCall, Guard, HandlerContext, RequestContext } from "@orrery/ports";
import type { LanguageModule } from "@orrery/query";
import type { RepositoryType } from "@orrery/repository";
import type { SegmentPart } from "@orrery/segment";
import type { ShardCopy } from "./copy/shard-copy.ts";
import type { IndexHook } from "./write/index-hook.ts";
import type { CopyRestriction } from "./search/restrictions.ts";

/** Serves one request to a copy. The plugin defines the format of payload and answer. */
export type ShardHandler = (
  copy: ShardCopy,
  payload: Uint8Array,
  context: HandlerContext,
) => Promise<Uint8Array>;

export type SnapshotSource = Extract<RecoverySource, { readonly type: "SNAPSHOT" }>;

/** The half of a plugin that runs with shards. Every member but the name is optional. */
export interface ShardPlugin {
  readonly name: string;
  /** Guards around the handlers of shards; `indices` is the index of the shard that the frame names. */
  readonly guards?: readonly Guard<ActionCall>[];
  /**
   * The part of a copy that a request may see, in searches and gets; called for each request. `undefined`:
   * everything.
   */
  readonly restrict?: (copy: ShardCopy, context: RequestContext) => CopyRestriction | undefined;
  /**
   * Called on the primary for each document that a client writes, before it is parsed: returns the source that
   * replaces the sent one, or `undefined` to keep it. Replicas receive the result.
   * @throws OperationError The document is refused.
   */
  readonly index?: IndexHook;
  /** Handlers by action. The frame names the shard; a shard that is not here is refused as for any action. */
  readonly actions?: Readonly<Record<string, ShardHandler>>;
  /**
   * Repository types. The node itself knows them, too: it verifies repositories, lists snapshots and writes the files
   * above a shard.
   */
  readonly repositoryTypes?: readonly RepositoryType[];
  /** Rows of the search language; coordinating nodes read requests in the same language. */
  readonly language?: LanguageModule;
  /** Kinds of columns that fields of this plugin's types have in segments. */
  readonly segmentParts?: readonly SegmentPart[];
  /**
   * Whether the copy's sequence numbers are assigned by another cluster. Missing operations are then fetched again: a
   * new primary rolls back to before its first gap, where any other one fills gaps with no-ops.
   */
  readonly hasForeignHistory?: (copy: ShardCopy) => boolean;
  /** Repositories of this plugin, and the recovery of a primary from one of them. */
  readonly restore?: {
    readonly isOwn: (repository: string) => boolean;
    readonly recover: (copy: ShardCopy, source: SnapshotSource) => Promise<void>;
  };
}
