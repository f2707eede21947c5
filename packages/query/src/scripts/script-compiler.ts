/**
 * The scripts of a node or a shard worker: engines found by their language, the settings `script.*` kept, and what was compiled kept for
 * requests that come with the same source. Source: `ScriptService`, `ScriptCache`.
 *
 * The caches are of fixed size, one for each context, and the script that was used longest ago goes first. New scripts are compiled at the
 * rate of a token bucket: sources that differ in numbers alone would otherwise fill the caches without an end. There is no clock here: the
 * caller tells the time.
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

export interface ScriptSettings {
  /** `script.allowed_types`; `undefined`: every type. */
  readonly allowedTypes: readonly string[] | undefined;
  /** `script.allowed_contexts`; `undefined`: every context. */
  readonly allowedContexts: readonly string[] | undefined;
  /** `script.max_size_in_bytes` */
  readonly maxSizeBytes: number;
  /** Of one context, or of all together. */
  cacheOf(context: ScriptContextName): ScriptCacheSettings;
}

export interface ScriptCacheSettings {
  /** Contexts of one name share a cache. */
  readonly name: string;
  readonly maxScripts: number;
  readonly expiresAfterMs: number;
  /** `undefined`: any number of scripts may be compiled. */
  readonly rate: CompilationRate | undefined;
}

export interface CompilationRate {
  readonly count: number;
  readonly windowMs: number;
  /** As the setting says it, and which setting: `75/5m`. */
  readonly text: string;
  readonly setting: string;
}

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
  /** Read for each script. */
  readonly settings: () => ScriptSettings;
  /** Monotonic. */
  readonly nowMs: () => number;
}

/** Of a script that stays in a cache, beside its source. */
interface Kept {
  readonly compiled: EngineScripts;
  usedMs: number;
}

interface Cache {
  /** By language, source and options; the one that was used longest ago comes first. */
  readonly scripts: Map<string, Kept>;
  /** Of their keys, which are a little longer than their sources. */
  characters: number;
  tokens: number;
  filledMs: number;
  /** The rate that the tokens are of. */
  rate: string | undefined;
}

/** Of the sources in one cache: a compiled script is a hundred times as big. The product counts scripts alone. */
const MOST_CHARACTERS = 200_000;

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

/** Without caches that outlive it, and without limits of a rate. */
export function plainScripts({ scriptEngines }: SearchLanguage): Scripts {
  const settings = (): ScriptSettings => DEFAULT_SCRIPT_SETTINGS;
  return new ScriptCompiler({ engines: scriptEngines, settings, nowMs: () => 0 });
}

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

function takeToken(cache: Cache, rate: CompilationRate | undefined, nowMs: number): void {
  if (rate === undefined) return;
  const filled = cache.tokens + ((nowMs - cache.filledMs) * rate.count) / rate.windowMs;
  // Of another rate, the bucket begins full.
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
