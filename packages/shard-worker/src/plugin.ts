/**
 * The half of a plugin that shard workers run: requests to a copy, repository types, rows of the search language, parts of segments,
 * and where primaries may be restored from.
 */
import type { RecoverySource } from "@orrery/cluster-state";
import type { ActionCall, Guard, HandlerContext, RequestContext } from "@orrery/ports";
import type { LanguageModule } from "@orrery/query";
import type { RepositoryType } from "@orrery/repository";
import type { SegmentPart } from "@orrery/segment";
import type { ShardCopy } from "./copy/shard-copy.ts";
import type { IndexHook } from "./write/index-hook.ts";
import type { CopyRestriction } from "./search/restrictions.ts";

export type ShardHandler = (
  copy: ShardCopy,
  payload: Uint8Array,
  context: HandlerContext,
) => Promise<Uint8Array>;

export type SnapshotSource = Extract<RecoverySource, { readonly type: "SNAPSHOT" }>;

export interface ShardPlugin {
  readonly name: string;
  /** Around the handlers of shards; `indices` is the index of the shard that the frame names. */
  readonly guards?: readonly Guard<ActionCall>[];
  /** What a request may see of a copy, in searches and reads of documents; asked for each. `undefined`: everything. */
  readonly restrict?: (copy: ShardCopy, context: RequestContext) => CopyRestriction | undefined;
  /**
   * Asked of each document that a client writes, on the primary, before it is parsed: its source in place of the one that came, or
   * `undefined`. Throws `OperationError` to refuse the document. Replicas get what it made.
   */
  readonly index?: IndexHook;
  /** By action; the shard is named by the frame. A request to a shard that is not here is refused as any other. */
  readonly actions?: Readonly<Record<string, ShardHandler>>;
  /** The node itself knows them, too: it verifies repositories, lists snapshots and writes what is above a shard. */
  readonly repositoryTypes?: readonly RepositoryType[];
  /** Rows of the search language. Coordinating nodes read requests in the same language. */
  readonly language?: LanguageModule;
  /** Kinds of columns that fields of this plugin's types have in segments. */
  readonly segmentParts?: readonly SegmentPart[];
  /**
   * Sequence numbers of this copy are given out elsewhere, and come again when they are missing: a new primary goes back behind the
   * first that it lacks, where another would put a no-op in its place.
   */
  readonly hasForeignHistory?: (copy: ShardCopy) => boolean;
  /** Repositories that are this plugin's, and how a primary is built from one of them. */
  readonly restore?: {
    readonly isOwn: (repository: string) => boolean;
    readonly recover: (copy: ShardCopy, source: SnapshotSource) => Promise<void>;
  };
}
