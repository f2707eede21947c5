/** Indices of a plan that acknowledge operations before they sync them (`index.translog.durability: async`). */
import { isJsonObject, parseDuration, type Json } from "@orrery/stdx";
import type { IndexPlan, Plan } from "../plan.ts";
import { requestsOf } from "./requests-of.ts";

/** Longest time that an acknowledged operation of the index stays unsynced; 0 if operations are synced before. */
export function unsyncedMsOf({ settings }: IndexPlan): number {
  if (settingOf(settings, "durability") !== "async") return 0;
  const interval = settingOf(settings, "sync_interval");
  const ms = typeof interval === "string" ? parseDuration(interval) : undefined;
  return ms ?? DEFAULT_INTERVAL_MS;
}

const DEFAULT_INTERVAL_MS = 5000;

export interface Unsynced {
  /** True if any index may acknowledge unsynced operations. */
  readonly isAny: boolean;
  /**
   * Longest time that acknowledged operations of an index, named as `main/books`, stay unsynced; 0 if they are synced
   * before.
   */
  msOf(place: string): number;
}

/**
 * Durability of all indices of a plan. If a request sets asynchronous durability, in settings or a template, every
 * index may delay its sync without bound.
 */
export function unsyncedIndices(plan: Plan): Unsynced {
  if (requestsOf(plan).some(({ body }) => makesAsync(JSON.stringify(body ?? null))))
    return { isAny: true, msOf: () => Infinity };
  const late = new Map(
    plan.indices.map((index) => [`${index.cluster}/${index.name}`, unsyncedMsOf(index)]),
  );
  return {
    isAny: [...late.values()].some((ms) => ms > 0),
    msOf: (place) => late.get(place) ?? 0,
  };
}

function makesAsync(body: string): boolean {
  return /durability\W+async/i.test(body);
}

/** Value of an index setting, written flat or nested, with or without the prefix `index.`. */
function settingOf(settings: Json, name: string): Json | undefined {
  const flat = new Map<string, Json>();
  const walk = (value: Json, path: string): void => {
    if (!isJsonObject(value)) return void flat.set(path, value);
    for (const [key, inner] of Object.entries(value))
      walk(inner ?? null, path === "" ? key : `${path}.${key}`);
  };
  walk(settings, "");
  return flat.get(`index.translog.${name}`) ?? flat.get(`translog.${name}`);
}
