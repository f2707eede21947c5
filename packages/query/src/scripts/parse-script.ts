/** Parses a script in a request body: its source as text, or an object. Source: `Script.parse`. */
import {
  illegalArgument,
  isJsonObject,
  javaText,
  OperationError,
  type JsonObject,
} from "@orrery/stdx";
import { contentError, members, tokenOf, unknownField, wrapField } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { jsonText } from "../json/json-text.ts";
import type { InlineScript, Script } from "../language/script.ts";

const DEFAULT_LANG = "painless";

/** The parameters of a script, for the error on unknown ones. */
const KNOWN = ["source", "inline", "id", "stored", "lang", "options", "params"];

/** The members of a script, not yet checked together. */
interface Parts {
  source: string | undefined;
  id: string | undefined;
  lang: string | undefined;
  options: JsonObject | undefined;
  params: JsonObject | undefined;
}

/**
 * Parses a script where the product calls `Script.parse` directly.
 * @throws BodyError or OperationError 400
 */
export function parseScript(at: Cursor): Script {
  const { json } = at;
  if (typeof json === "string") return inlineScript(json);
  if (!isJsonObject(json))
    throw illegalArgument(`unexpected value [${tokenOf(json)}], expected [{, <source>]`);
  return scriptOf(readParts(at));
}

function readParts(at: Cursor): Parts {
  const parts: Parts = {
    source: undefined,
    id: undefined,
    lang: undefined,
    options: undefined,
    params: undefined,
  };
  for (const [name, member] of members(at)) {
    if (!KNOWN.includes(name)) throw unknownField(member, "script", KNOWN.filter(isCurrent));
    readPart(parts, name, member);
  }
  return parts;
}

/** Deprecated names are not suggested. */
function isCurrent(name: string): boolean {
  return name !== "inline" && name !== "stored";
}

/**
 * Parses a script where the product's class `ObjectParser` reads the field; the errors differ from
 * those of `parseScript`.
 * @throws BodyError 400
 */
export function scriptField(at: Cursor, parser: string, takesText = true): Script {
  const { json } = at;
  if (!isJsonObject(json) && !(takesText && typeof json === "string"))
    throw contentError(
      at,
      `[${parser}] ${at.key} doesn't support values of type: ${tokenOf(json)}`,
    );
  if (typeof json === "string") return inlineScript(json);
  const parts = wrapField(at, parser, () => readParts(at));
  try {
    return scriptOf(parts);
  } catch (error) {
    // Missing members are reported at the end of the object.
    if (!(error instanceof OperationError)) throw error;
    const causedBy = error.problem;
    throw contentError(at, `[${parser}] failed to parse field [${at.key}]`, {
      side: "end",
      causedBy,
    });
  }
}

/** Returns a Painless script without options or parameters. */
export function inlineScript(source: string): InlineScript {
  return { kind: "inline", lang: DEFAULT_LANG, source, options: {}, params: {} };
}

function readPart(parts: Parts, name: string, at: Cursor): void {
  const { json } = at;
  const isObject = isJsonObject(json);
  const isSource = name === "source" || name === "inline";
  const takesObject = isSource || name === "options" || name === "params";
  const takesText = name !== "options" && name !== "params";
  if (!(takesObject && isObject) && !(takesText && typeof json === "string"))
    throw contentError(at, `[script] ${name} doesn't support values of type: ${tokenOf(json)}`);
  if (name === "params" && isObject) parts.params = json;
  else if (name === "options" && isObject) parts.options = json;
  else if (name === "lang") parts.lang = javaText(json);
  else setSource(parts, isSource, at);
}

/** @throws BodyError 400 if there already is a source or an id */
function setSource(parts: Parts, isSource: boolean, at: Cursor): void {
  if (parts.source !== undefined || parts.id !== undefined) {
    const reason = "must only use one of [source, id] when specifying a script";
    const causedBy = illegalArgument(reason).problem;
    throw contentError(at, `[script] failed to parse field [${at.key}]`, { causedBy });
  }
  const text = typeof at.json === "string" ? at.json : jsonText(at.json);
  if (isSource) {
    parts.source = text;
    if (isJsonObject(at.json)) parts.options ??= CONTENT_TYPE;
  } else parts.id = text;
}

/** The options of a source that is an object. */
const CONTENT_TYPE: JsonObject = { content_type: "application/json; charset=UTF-8" };

/** Checks the parts together. */
function scriptOf({ source, id, lang, options, params = {} }: Parts): Script {
  if (id !== undefined) {
    if (lang !== undefined) throw illegalArgument("illegally specified <lang> for a stored script");
    if (options !== undefined)
      throw illegalArgument("field [options] cannot be specified using a stored script");
    return { kind: "stored", id, params };
  }
  if (source === undefined)
    throw illegalArgument(
      "must specify either [source] for an inline script or [id] for a stored script",
    );
  const entries = Object.entries(options ?? {});
  if (entries.length > 1 || entries.some(([name]) => name !== "content_type")) {
    throw illegalArgument(`illegal compiler options [${shown(options ?? {})}] specified`);
  }
  return {
    kind: "inline",
    lang: lang ?? DEFAULT_LANG,
    source,
    options: Object.fromEntries(entries.map(([name, value]) => [name, javaText(value)])),
    params,
  };
}

/** Formats a script for explanations. */
export function describeScript(script: Script): string {
  const params = shown(script.params);
  if (script.kind === "stored")
    return `Script{type=stored, lang='null', idOrCode='${script.id}', options=null, params=${params}}`;
  const { lang, source, options } = script;
  return `Script{type=inline, lang='${lang}', idOrCode='${source}', options=${shown(options)}, params=${params}}`;
}

/** Formats like Java's maps. */
function shown(json: JsonObject): string {
  return `{${Object.entries(json)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : jsonText(value)}`)
    .join(", ")}}`;
}
