/** `String.replaceAll` of Java: its patterns, `$1`, `${name}` and `\x` in the replacement, and its refusals. */
import {
  compileJavaPattern,
  type JavaMatch,
  type JavaPattern,
} from "./java-pattern/java-pattern.ts";
import { illegalArgument, OperationError } from "./problem.ts";

/**
 * Replaces all matches, as Java's `String.replaceAll`.
 * @throws OperationError The pattern or the replacement is malformed.
 */
export function replaceAllJava(text: string, pattern: string, replacement: string): string {
  const compiled = compileJavaPattern(pattern, undefined);
  let out = "";
  let at = 0;
  for (const match of compiled.findAll(text)) {
    out += text.slice(at, match.start) + expand(replacement, { pattern: compiled, text, match });
    at = match.end;
  }
  return out + text.slice(at);
}

/** A match that is being replaced. */
interface Found {
  readonly pattern: JavaPattern;
  readonly text: string;
  readonly match: JavaMatch;
}

/** The text that a group has matched; empty if the group took no part in the match. */
export function groupText(text: string, { slots }: JavaMatch, group: number): string {
  const start = slots[group * 2] ?? -1;
  return start < 0 ? "" : text.slice(start, slots[group * 2 + 1]);
}

/** The replacement of one match (`Matcher.appendExpandedReplacement`). */
function expand(replacement: string, found: Found): string {
  let out = "";
  let at = 0;
  while (at < replacement.length) {
    const letter = replacement.charAt(at);
    if (letter === "\\") {
      if (at + 1 === replacement.length)
        throw illegalArgument("character to be escaped is missing");
      out += replacement.charAt(at + 1);
      at += 2;
    } else if (letter === "$") {
      const group = groupAt(replacement, at + 1, found);
      out += group.text;
      at = group.end;
    } else {
      out += letter;
      at += 1;
    }
  }
  return out;
}

/** A group that the replacement names. */
interface Group {
  readonly text: string;
  /** Position behind the group's name. */
  readonly end: number;
}

function groupAt(replacement: string, at: number, found: Found): Group {
  const rest = replacement.slice(at);
  if (rest === "") throw illegalArgument("Illegal group reference: group index is missing");
  if (rest.startsWith("{")) return namedGroup(rest, at, found);
  if (!/^\d/.test(rest)) throw illegalArgument("Illegal group reference");
  const first = Number(rest.charAt(0));
  if (first > found.pattern.groupCount) {
    const reason = `No group ${first}`;
    throw new OperationError({ type: "index_out_of_bounds_exception", reason, status: 500 });
  }
  // As many digits as still name a group.
  let number = first;
  let end = at + 1;
  for (const digit of /^\d*/.exec(rest.slice(1))?.[0] ?? "") {
    const next = number * 10 + Number(digit);
    if (next > found.pattern.groupCount) break;
    number = next;
    end += 1;
  }
  return { text: groupText(found.text, found.match, number), end };
}

function namedGroup(rest: string, at: number, found: Found): Group {
  const name = /^\{([a-zA-Z0-9]*)/.exec(rest)?.[1] ?? "";
  if (name === "" || rest.charAt(name.length + 1) !== "}") {
    throw illegalArgument("named capturing group is missing trailing '}'");
  }
  if (/^\d/.test(name)) {
    throw illegalArgument(`capturing group name {${name}} starts with digit character`);
  }
  const number = found.pattern.groupNames.get(name);
  if (number === undefined) throw illegalArgument(`No group with name {${name}}`);
  return { text: groupText(found.text, found.match, number), end: at + name.length + 2 };
}
