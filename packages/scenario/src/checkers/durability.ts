/** Which indices of a plan sync their operations later than they acknowledge them. */
import { isJsonObject, parseDuration, type Json } from "@orrery/stdx";
import type { IndexPlan, Plan } from "../plan.ts";

/** How long an acknowledged operation may stay unsynced; 0 where it is synced before. */
export function unsyncedMsOf({ settings }: IndexPlan): number {
  if (settingOf(settings, "durability") !== "async") return 0;
  const interval = settingOf(settings, "sync_interval");
  const ms = typeof interval === "string" ? parseDuration(interval) : undefined;
  return ms ?? DEFAULT_INTERVAL_MS;
}

const DEFAULT_INTERVAL_MS = 5000;

/** By cluster and index, as `main/books`; only those that sync later. */
export function unsyncedIndices({ indices }: Plan): ReadonlyMap<string, number> {
  return new Map(
    indices.flatMap((index) => {
      const ms = unsyncedMsOf(index);
      return ms === 0 ? [] : [[`${index.cluster}/${index.name}`, ms] as const];
    }),
  );
}

/** Flat or nested, with `index.` or without. */
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
