/** Settings `script.*` of a node: which scripts may run, how many are kept, and how many are compiled. Source: `ScriptService`. */
import { lookup } from "@orrery/stdx";
import type { ClusterState } from "../types.ts";
import { clusterSetting, currentClusterSettings } from "./registry.ts";
import { parseRate, type CompilationRate } from "./compilation-rate.ts";

export interface ScriptSettings {
  /** Types of scripts that may run; `undefined`: all; empty: none. */
  readonly allowedTypes: readonly string[] | undefined;
  /** Contexts in which scripts may run; `undefined`: all; empty: none. */
  readonly allowedContexts: readonly string[] | undefined;
  readonly maxSizeBytes: number;
  cacheOf(context: string): ScriptCacheSettings;
}

export interface ScriptCacheSettings {
  /** Name of the cache: its context, or empty for the cache that all contexts share. */
  readonly name: string;
  readonly maxScripts: number;
  /** 0: scripts never expire. */
  readonly expiresAfterMs: number;
  /** Limit of compilations; `undefined`: none. */
  readonly rate: CompilationRate | undefined;
}

export function scriptSettingsOf(state: Pick<ClusterState, "metadata">): ScriptSettings {
  return {
    allowedTypes: allowed(state, "script.allowed_types"),
    allowedContexts: allowed(state, "script.allowed_contexts"),
    maxSizeBytes: Number(clusterSetting(state, "script.max_size_in_bytes")),
    cacheOf: (context) => cacheOf(state, context),
  };
}

/** `none`, alone, is no name: nothing may run. */
function allowed(
  state: Pick<ClusterState, "metadata">,
  key: string,
): readonly string[] | undefined {
  if (lookup(currentClusterSettings(state), key) === undefined) return undefined;
  const names = clusterSetting(state, key);
  if (!Array.isArray(names)) return undefined;
  return (names as readonly string[]).filter((name) => name !== "none");
}

const SHARED = "script.max_compilations_rate";

function cacheOf(state: Pick<ClusterState, "metadata">, context: string): ScriptCacheSettings {
  const shared = String(clusterSetting(state, SHARED));
  if (shared !== "use-context") {
    return {
      name: "",
      maxScripts: Number(clusterSetting(state, "script.cache.max_size")),
      expiresAfterMs: Number(clusterSetting(state, "script.cache.expire")),
      rate: parseRate(shared, SHARED),
    };
  }
  const prefix = `script.context.${context}`;
  const setting = `${prefix}.max_compilations_rate`;
  const isUnlimited = clusterSetting(state, "script.disable_max_compilations_rate") === true;
  const rate = String(clusterSetting(state, setting));
  return {
    name: context,
    maxScripts: Number(clusterSetting(state, `${prefix}.cache_max_size`)),
    expiresAfterMs: Number(clusterSetting(state, `${prefix}.cache_expire`)),
    rate: isUnlimited || rate === "unlimited" ? undefined : parseRate(rate, setting),
  };
}
