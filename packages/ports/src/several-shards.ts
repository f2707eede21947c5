/** Several shards of one node in the header of a frame: their names in a row. */

/** So many at most: what a header holds is limited. */
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
