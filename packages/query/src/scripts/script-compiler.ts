/**
 * Compiles and caches the scripts of a node or a shard worker. Source: `ScriptService`,
 * `ScriptCache`.
 *
 * There is a cache of fixed size per context, or one for all; the least recently used script is
 * evicted. A token bucket limits the rate of compilations: sources that differ only in numbers
 * would fill the cache again and again. The caller supplies the time.
 */
import { illegalArgument, OperationError, utf8Encode } from "@orrery/stdx";
import { CompileFailure } from "./compile-failure.ts";
import type { SearchLanguage } from "../language/language.ts";
import type {
  CompiledScripts,
  EngineScripts,
  InlineScript,
  Script,
  ScriptContextName,
  ScriptEngine,
  Scripts,
} from "../language/script.ts";

/** The settings `script.*`. */
export interface ScriptSettings {
  /** `script.allowed_types`; `undefined` allows all types. */
  readonly allowedTypes: readonly string[] | undefined;
  /** `script.allowed_contexts`; `undefined` allows all contexts. */
  readonly allowedContexts: readonly string[] | undefined;
  /** `script.max_size_in_bytes` */
  readonly maxSizeBytes: number;
  /** Returns the settings of the context's cache, which other contexts may share. */
  cacheOf(context: ScriptContextName): ScriptCacheSettings;
}

export interface ScriptCacheSettings {
  /** Contexts with the same name share a cache. */
  readonly name: string;
  readonly maxScripts: number;
  /** The time after its last use at which a script expires; 0: never. */
  readonly expiresAfterMs: number;
  /** `undefined` for no limit. */
  readonly rate: CompilationRate | undefined;
}

/** At most `count` compilations in `windowMs`. */
export interface CompilationRate {
  readonly count: number;
  readonly windowMs: number;
  /** The rate as the setting has it, `75/5m`, and the name of the setting. */
  readonly text: string;
  readonly setting: string;
}

/** Allows everything, with a cache of 100 scripts per context. */
export const DEFAULT_SCRIPT_SETTINGS: ScriptSettings = {
  allowedTypes: undefined,
  allowedContexts: undefined,
  maxSizeBytes: 65_535,
  cacheOf: (context) => ({
    name: context,
    maxScripts: 100,
    expiresAfterMs: 0,
    rate: undefined,
  }),
};

export interface ScriptCompilerInput {
  readonly engines: ReadonlyMap<string, ScriptEngine>;
  /** Called for each script, since settings may change. */
  readonly settings: () => ScriptSettings;
  /** A monotonic clock. */
  readonly nowMs: () => number;
}

/** A cached script. */
interface Kept {
  readonly compiled: EngineScripts;
  usedMs: number;
}

/** One cache with its token bucket. */
interface Cache {
  /** By language, context, source and options, the least recently used first. */
  readonly scripts: Map<string, Kept>;
  /** The total length of the keys, which are a little longer than the sources. */
  characters: number;
  tokens: number;
  filledMs: number;
  /** The rate at which the bucket was last filled. */
  rate: string | undefined;
}

/**
 * The limit of `characters`, since a compiled script is a hundred times as large as its source. The
 * product limits only the number of scripts.
 */
const MOST_CHARACTERS = 200_000;

/**
 * Compiles inline scripts with the engine of their language, as far as the settings allow, and
 * caches the results. A stored script is rejected: there is no request that stores one.
 */
export class ScriptCompiler implements Scripts {
  private readonly input: ScriptCompilerInput;
  private readonly caches = new Map<string, Cache>();

  constructor(input: ScriptCompilerInput) {
    this.input = input;
  }

  compile<Name extends ScriptContextName>(script: Script, context: Name): CompiledScripts[Name] {
    if (script.kind === "stored") throw notStored(script.id);
    const engine = this.input.engines.get(script.lang);
    if (engine === undefined) throw illegalArgument(`script_lang not supported [${script.lang}]`);
    const settings = this.input.settings();
    checkAllowed(settings, script, context);
    const compiled = this.kept(engine, script, context)[context];
    if (compiled !== undefined) return compiled;
    throw illegalArgument(
      `${script.lang} engine does not know how to handle script context [${context}]`,
    );
  }

  /** Returns the cached script, or compiles it. */
  private kept(
    engine: ScriptEngine,
    script: InlineScript,
    context: ScriptContextName,
  ): EngineScripts {
    const { lang, source, options } = script;
    const { nowMs, settings } = this.input;
    const limits = settings().cacheOf(context);
    const cache = this.caches.get(limits.name) ?? newCache();
    this.caches.set(limits.name, cache);
    const key = JSON.stringify([lang, context, source, Object.entries(options)]);
    const now = nowMs();
    const found = cache.scripts.get(key);
    if (cache.scripts.delete(key)) cache.characters -= key.length;
    const isFresh =
      found !== undefined &&
      (limits.expiresAfterMs === 0 || now - found.usedMs <= limits.expiresAfterMs);
    const compiled = isFresh
      ? found.compiled
      : wrapped(script, () => {
          takeToken(cache, limits.rate, now);
          return engine.compile(source, options, context);
        });
    cache.scripts.set(key, { compiled, usedMs: now });
    cache.characters += key.length;
    for (const oldest of cache.scripts.keys()) {
      const isFull = cache.scripts.size > limits.maxScripts || cache.characters > MOST_CHARACTERS;
      if (!isFull) break;
      cache.scripts.delete(oldest);
      cache.characters -= oldest.length;
    }
    return compiled;
  }
}

/** Returns a compiler with caches of its own, the default settings and no rate limit. */
export function plainScripts({ scriptEngines }: SearchLanguage): Scripts {
  const settings = (): ScriptSettings => DEFAULT_SCRIPT_SETTINGS;
  return new ScriptCompiler({ engines: scriptEngines, settings, nowMs: () => 0 });
}

/** Turns errors of the engine, except script exceptions, into `CompileFailure`. */
function wrapped<T>(script: InlineScript, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof OperationError) || error.problem.type === "script_exception")
      throw error;
    throw new CompileFailure(error.problem, script);
  }
}

function newCache(): Cache {
  return { scripts: new Map(), characters: 0, tokens: 0, filledMs: 0, rate: undefined };
}

/** @throws OperationError 429 `circuit_breaking_exception` if the bucket is empty */
function takeToken(cache: Cache, rate: CompilationRate | undefined, nowMs: number): void {
  if (rate === undefined) return;
  const filled = cache.tokens + ((nowMs - cache.filledMs) * rate.count) / rate.windowMs;
  // A bucket starts full after a change of the rate.
  const tokens = cache.rate === rate.text ? Math.min(filled, rate.count) : rate.count;
  cache.rate = rate.text;
  cache.filledMs = nowMs;
  cache.tokens = tokens >= 1 ? tokens - 1 : tokens;
  if (tokens >= 1) return;
  throw new OperationError({
    type: "circuit_breaking_exception",
    reason: `[script] Too many dynamic script compilations within, max: [${rate.text}]; please use indexed, or scripts with parameters instead; this limit can be changed by the [${rate.setting}] setting`,
    status: 429,
    metadata: { bytes_wanted: 0, bytes_limit: 0, durability: "TRANSIENT" },
  });
}

/** @throws OperationError 400 */
function checkAllowed(
  { allowedTypes, allowedContexts, maxSizeBytes }: ScriptSettings,
  { kind, source }: InlineScript,
  context: ScriptContextName,
): void {
  const sizeBytes = source.length <= maxSizeBytes / 3 ? 0 : utf8Encode(source).length;
  if (sizeBytes > maxSizeBytes) {
    throw illegalArgument(
      `exceeded max allowed inline script size in bytes [${maxSizeBytes}] with size [${sizeBytes}] for script [${source}]`,
    );
  }
  if (allowedTypes?.includes(kind) === false)
    throw illegalArgument(`cannot execute [${kind}] scripts`);
  if (allowedContexts?.includes(context) === false)
    throw illegalArgument(`cannot execute scripts using [${context}] context`);
}

function notStored(id: string): OperationError {
  return new OperationError({
    type: "resource_not_found_exception",
    reason: `unable to find script [${id}] in cluster state`,
    status: 404,
  });
}
