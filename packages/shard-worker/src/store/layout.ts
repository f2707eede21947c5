/** Paths of a shard copy's files, below the node's data folder. */

/** The folders of one shard. */
export interface ShardPaths {
  /** `indices/<uuid>/<shard>`; the others are below it. */
  readonly root: string;
  readonly index: string;
  readonly translog: string;
  readonly state: string;
}

export const indicesFolder = "indices";

/** The folder of one index: its shards and its metadata. */
export function indexFolder(indexUuid: string): string {
  return `${indicesFolder}/${indexUuid}`;
}

/** The folder of one shard. */
export function shardFolder(indexUuid: string, shard: number): string {
  return `${indexFolder(indexUuid)}/${shard}`;
}

export function shardPaths(indexUuid: string, shard: number): ShardPaths {
  const root = shardFolder(indexUuid, shard);
  return { root, index: `${root}/index`, translog: `${root}/translog`, state: `${root}/_state` };
}
