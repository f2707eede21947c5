/** Replaces what a regular expression matches; `$1` and `${name}` stand for groups. */
import { compileJavaPattern, illegalArgument, lookup } from "@orrery/stdx";
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
    let difference = 0;
    for (const match of text.matchAll(expression)) {
      out += text.slice(at, match.index);
      const [matched] = match;
      const replacement = template(match);
      at = match.index + matched.length;
      const surplus = replacement.length - matched.length;
      // A longer replacement: each character too many points at the end of what was replaced.
      for (let i = 0; i < surplus; i += 1) {
        difference -= 1;
        offsets.add(out.length + matched.length + i, difference);
      }
      out += replacement;
      if (surplus >= 0) continue;
      difference -= surplus;
      offsets.add(out.length, difference);
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
        if (name !== undefined) return lookup(match.groups, name) ?? "";
        if (number !== undefined) return match[Number(number)] ?? "";
        return escaped ?? literal ?? "";
      })
      .join("");
}
