/** Replaces what a regular expression matches; `$1` and `${name}` stand for groups. */
import { illegalArgument } from "@orrery/stdx";
import { compileJavaPattern } from "../java-pattern.ts";
import { createOffsetMap } from "../offsets.ts";
import { readText } from "../settings.ts";
import type { CharFilterFactory } from "./table.ts";

export const patternReplace: CharFilterFactory = (definition, { name }) => {
  const source = readText(definition, "pattern");
  if (source === undefined) {
    throw illegalArgument(`pattern is missing for [${name}] char filter of type 'pattern_replace'`);
  }
  const expression = compileJavaPattern(source, readText(definition, "flags"), "g");
  const template = parseTemplate(readText(definition, "replacement") ?? "");
  return (text) => {
    const offsets = createOffsetMap();
    let out = "";
    let at = 0;
    for (const match of text.matchAll(expression)) {
      out += text.slice(at, match.index);
      const replacement = template(match);
      at = match.index + match[0].length;
      const common = Math.min(match[0].length, replacement.length);
      const start = out.length;
      out += replacement;
      const difference = at - out.length;
      if (difference !== start - match.index && replacement.length !== match[0].length) {
        offsets.add(start + common, difference);
      }
    }
    return { text: out + text.slice(at), correct: offsets.finish() };
  };
};

/** Java's replacement syntax: `\x` is x itself, `$1`, `${name}`. */
function parseTemplate(source: string): (match: RegExpExecArray) => string {
  const parts = [...source.matchAll(/\\(.)|\$\{(\w+)\}|\$(\d)|([^\\$]+|[\\$])/gsu)];
  return (match) =>
    parts
      .map(([, escaped, name, number, literal]) => {
        if (name !== undefined) return match.groups?.[name] ?? "";
        if (number !== undefined) return match[Number(number)] ?? "";
        return escaped ?? literal ?? "";
      })
      .join("");
}
