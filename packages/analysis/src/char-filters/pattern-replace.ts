/** The char filter `pattern_replace`: replaces matches of a regular expression; `$1` and `${name}` insert groups. */
import {
  compileJavaPattern,
  groupText,
  illegalArgument,
  type JavaMatch,
  type JavaPattern,
} from "@orrery/stdx";
import { refuseLonger } from "../growth.ts";
import { createOffsetMap } from "../offsets.ts";
import { readText } from "../settings.ts";
import type { CharFilterFactory } from "./table.ts";

export const patternReplace: CharFilterFactory = (definition, { name }) => {
  const source = readText(definition, "pattern");
  if (source === undefined) {
    throw illegalArgument(`pattern is missing for [${name}] char filter of type 'pattern_replace'`);
  }
  const expression = compileJavaPattern(source, readText(definition, "flags"));
  const template = parseTemplate(readText(definition, "replacement") ?? "", expression);
  return (text, most) => {
    const offsets = createOffsetMap();
    let out = "";
    let at = 0;
    let difference = 0;
    for (const match of expression.findAll(text)) {
      out += text.slice(at, match.start);
      const matchedLength = match.end - match.start;
      const replacement = template(text, match);
      refuseLonger(out.length + replacement.length, most);
      at = match.end;
      const surplus = replacement.length - matchedLength;
      // A longer replacement: its surplus characters map to the end of the replaced match.
      for (let i = 0; i < surplus; i += 1) {
        difference -= 1;
        offsets.add(out.length + matchedLength + i, difference);
      }
      out += replacement;
      if (surplus >= 0) continue;
      difference -= surplus;
      offsets.add(out.length, difference);
    }
    return { text: out + text.slice(at), correct: offsets.finish() };
  };
};

/** Parses Java's replacement syntax: `\\x` is the character x, `$1` and `${name}` are groups. */
function parseTemplate(
  source: string,
  { groupNames }: JavaPattern,
): (text: string, match: JavaMatch) => string {
  const parts = [...source.matchAll(/\\(.)|\$\{(\w+)\}|\$(\d)|([^\\$]+|[\\$])/gsu)];
  return (text, match) =>
    parts
      .map(([, escaped, name, number, literal]) => {
        if (name !== undefined) return groupText(text, match, groupNames.get(name) ?? -1);
        if (number !== undefined) return groupText(text, match, Number(number));
        return escaped ?? literal ?? "";
      })
      .join("");
}
