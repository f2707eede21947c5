/** The sorts of the core by their names in a request. To add one: a file beside this and a row here. */
import type { SortType } from "../language/sort.ts";
import { geoDistanceSort } from "./geo-distance.ts";
import { scriptSort } from "./script-sort.ts";
import { docSort, scoreSort, shardDocSort } from "./order-sorts.ts";

export const coreSorts: Readonly<Record<string, SortType>> = {
  _score: scoreSort,
  _doc: docSort,
  _shard_doc: shardDocSort,
  _geo_distance: geoDistanceSort,
  _script: scriptSort,
};
