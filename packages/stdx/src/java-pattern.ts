/**
 * Java regular expressions in JavaScript: flags by name or number, inline flags at the start, possessive quantifiers
 * (made greedy), POSIX classes, `\A`, `\Z`, `\h`. What JavaScript then still refuses is refused here.
 */
import { lookup } from "./client-keys.ts";
import { illegalArgument, OperationError } from "./problem.ts";

/** JavaScript flag per Java flag; an empty string has no effect here. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ["CASE_INSENSITIVE", "i"],
  ["MULTILINE", "m"],
  ["DOTALL", "s"],
  ["UNICODE_CASE", ""],
  ["CANON_EQ", ""],
  ["UNIX_LINES", ""],
  ["LITERAL", "literal"],
  ["COMMENTS", "comments"],
  ["UNICODE_CHAR_CLASS", ""],
  ["UNICODE_CHARACTER_CLASS", ""],
]);

const INLINE: ReadonlyMap<string, string> = new Map([
  ["i", "i"],
  ["m", "m"],
  ["s", "s"],
  ["x", "comments"],
]);

const POSIX: ReadonlyMap<string, string> = new Map([
  ["Lower", "a-z"],
  ["Upper", "A-Z"],
  ["Alpha", "a-zA-Z"],
  ["Digit", "0-9"],
  ["Alnum", "a-zA-Z0-9"],
  ["Punct", "!-\\/:-@\\[-`\\{-~"],
  ["Space", " \\t\\n\\v\\f\\r"],
  ["Blank", " \\t"],
  ["XDigit", "0-9a-fA-F"],
  ["ASCII", "\\x00-\\x7f"],
]);

/** `flags`: Java's names joined by `|`. `own`: JavaScript flags the caller needs. */
export function compileJavaPattern(source: string, flags: string | undefined, own: string): RegExp {
  const modes = new Set(readFlags(flags));
  const inline = /^\(\?([a-zA-Z]+)\)/.exec(source);
  for (const flag of inline?.[1] ?? "") modes.add(INLINE.get(flag) ?? "");
  const body = inline === null ? source : source.slice(inline[0].length);
  const translated = modes.has("literal")
    ? body.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    : translate(modes.has("comments") ? withoutComments(body) : body);
  const jsFlags = own + [..."ims"].filter((flag) => modes.has(flag)).join("");
  try {
    return new RegExp(translated, `${jsFlags}u`);
  } catch {
    return compileLoosely(translated, jsFlags, source);
  }
}

/** Unicode mode refuses escapes it does not know, which Java takes as the character itself. */
function compileLoosely(translated: string, jsFlags: string, source: string): RegExp {
  try {
    return new RegExp(translated, jsFlags);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const { what, at } = troubleOf(words, source);
    const mark = at < source.length ? `\n${" ".repeat(at)}^` : "";
    throw new OperationError({
      type: "pattern_syntax_exception",
      reason: `${what} near index ${at}\n${source}${mark}`,
      status: 400,
    });
  }
}

interface Trouble {
  readonly what: string;
  readonly at: number;
}

function troubleOf(words: string, source: string): Trouble {
  if (words.includes("Unterminated group")) return { what: "Unclosed group", at: source.length };
  if (words.includes("Unterminated character class")) {
    return { what: "Unclosed character class", at: source.length - 1 };
  }
  if (words.includes("Nothing to repeat")) {
    const at = Math.max(source.search(/[*+?]/), 0);
    return { what: `Dangling meta character '${source.charAt(at)}'`, at };
  }
  return { what: "Illegal pattern", at: source.length - 1 };
}

function readFlags(flags: string | undefined): string[] {
  if (flags === undefined || flags === "") return [];
  return flags.split("|").map((name) => {
    const flag = FLAGS.get(name.trim().toUpperCase());
    if (flag === undefined) throw illegalArgument(`Unknown regex flag [${name.trim()}]`);
    return flag;
  });
}

function withoutComments(source: string): string {
  return source.replaceAll(/(\\.)|\s+|#.*$/gm, "$1");
}

function translate(source: string): string {
  return source
    .replaceAll(
      /(\\\\)|([*+?}])\+/g,
      (_, escaped?: string, quantifier?: string) => escaped ?? quantifier ?? "",
    )
    .replaceAll(/(\\\\)|\\p\{(\w+)\}/g, (all, escaped?: string, name = "") => {
      const set = POSIX.get(name);
      return escaped ?? (set === undefined ? all : `[${set}]`);
    })
    .replaceAll(/\[([^\]\\]*)\[([^\]]*)\]/g, "[$1$2")
    .replaceAll(
      /(\\\\)|\\([AZzh])/g,
      (all, escaped?: string, name = "") => escaped ?? lookup(ANCHORS, name) ?? all,
    );
}

const ANCHORS: Readonly<Record<string, string>> = {
  A: "^",
  Z: "(?=\\n?$)",
  z: "$",
  h: "[ \\t\\xa0]",
};
