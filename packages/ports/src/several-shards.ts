/** Several shards of one node in the header of a frame: their names, joined by commas. */

/**
 * Greatest number of shards that one message names: the header of its frame, which has their names, is limited in size.
 */
export const shardsMost = 64;

export function namesOfShards(shards: readonly string[]): string {
  return shards.join(",");
}

export function isSeveralShards(names: string): boolean {
  return names.includes(",");
}

export function shardsNamed(names: string): readonly string[] {
  return names.split(",");
}
