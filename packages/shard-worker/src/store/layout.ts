/** Where a shard copy's files are, below the node's data folder. */

export interface ShardPaths {
  /** `indices/<uuid>/<shard>` */
  readonly root: string;
  readonly index: string;
  readonly translog: string;
  readonly state: string;
}

export const indicesFolder = "indices";

export function indexFolder(indexUuid: string): string {
  return `${indicesFolder}/${indexUuid}`;
}

/** The folder of one shard; the folder above it belongs to the index as a whole. */
export function shardFolder(indexUuid: string, shard: number): string {
  return `${indexFolder(indexUuid)}/${shard}`;
}

export function shardPaths(indexUuid: string, shard: number): ShardPaths {
  const root = shardFolder(indexUuid, shard);
  return { root, index: `${root}/index`, translog: `${root}/translog`, state: `${root}/_state` };
}
