/**
 * The table of the core's sorts by their names in a request. A new one is a file in this folder and
 * a row here; plugins add theirs to the `SearchLanguage`.
 */
import type { SortType } from "../language/sort.ts";
import { geoDistanceSort } from "./geo-distance.ts";
import { scriptSort } from "./script-sort.ts";
import { docSort, scoreSort, shardDocSort } from "./order-sorts.ts";

/** The sorts of the core, by name. Any other name in a `sort` is a field's. */
export const coreSorts: Readonly<Record<string, SortType>> = {
  _score: scoreSort,
  _doc: docSort,
  _shard_doc: shardDocSort,
  _geo_distance: geoDistanceSort,
  _script: scriptSort,
};
