/** Which indices of a plan sync their operations later than they acknowledge them. */
import { isJsonObject, parseDuration, type Json } from "@orrery/stdx";
import type { IndexPlan, Plan } from "../plan.ts";
import { requestsOf } from "./requests-of.ts";

/** How long an acknowledged operation may stay unsynced; 0 where it is synced before. */
export function unsyncedMsOf({ settings }: IndexPlan): number {
  if (settingOf(settings, "durability") !== "async") return 0;
  const interval = settingOf(settings, "sync_interval");
  const ms = typeof interval === "string" ? parseDuration(interval) : undefined;
  return ms ?? DEFAULT_INTERVAL_MS;
}

const DEFAULT_INTERVAL_MS = 5000;

export interface Unsynced {
  /** Some index syncs later than it acknowledges. */
  readonly isAny: boolean;
  /** How much later an index may, which is written as `main/books`; 0 where it syncs before. */
  msOf(place: string): number;
}

/** Where a request makes durability asynchronous, in settings or a template, any index may sync later, and as late as it likes. */
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
