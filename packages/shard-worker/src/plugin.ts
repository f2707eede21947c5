/** What a plugin adds to shard workers: requests to a copy, where primaries may be restored from, rows of the search language. */
import type { RecoverySource } from "@orrery/cluster-state";
import type { RequestContext } from "@orrery/ports";
import {
  composeLanguage,
  coreModule,
  type LanguageModule,
  type SearchLanguage,
} from "@orrery/query";
import type { ShardCopy } from "./copy/shard-copy.ts";

/** The part of a plugin that runs in shard workers, too. */
export interface ShardPart {
  readonly shards?: ShardPlugin;
  /** Field types, queries and aggregations. Coordinating nodes read requests in the same language. */
  readonly language?: LanguageModule;
}

/** The parts of a product that run in shard workers. */
export interface ShardProduct {
  readonly shards: readonly ShardPlugin[];
  readonly language: SearchLanguage;
}

/** Two rows of the search language with one name are a bug in the composition. */
export function composeShards(parts: readonly ShardPart[]): ShardProduct {
  return {
    shards: parts.flatMap(({ shards }) => shards ?? []),
    language: composeLanguage([coreModule, ...parts.flatMap(({ language }) => language ?? [])]),
  };
}

export type ShardHandler = (
  copy: ShardCopy,
  payload: Uint8Array,
  context: RequestContext,
) => Promise<Uint8Array>;

export type SnapshotSource = Extract<RecoverySource, { readonly type: "SNAPSHOT" }>;

export interface ShardPlugin {
  readonly name: string;
  /** By action; the shard is named by the frame. A request to a shard that is not here is refused as any other. */
  readonly actions: Readonly<Record<string, ShardHandler>>;
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
