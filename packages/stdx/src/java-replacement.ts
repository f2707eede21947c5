/** `String.replaceAll` as Java has it: its patterns, `$1`, `${name}` and `\x` in the replacement, and its refusals. */
import { lookup } from "./client-keys.ts";
import { compileJavaPattern } from "./java-pattern.ts";
import { illegalArgument, OperationError } from "./problem.ts";

export function replaceAllJava(text: string, pattern: string, replacement: string): string {
  const matches = [...text.matchAll(compileJavaPattern(pattern, undefined, "g"))];
  let out = "";
  let at = 0;
  for (const match of matches) {
    out += text.slice(at, match.index) + expand(replacement, match);
    at = match.index + match[0].length;
  }
  return out + text.slice(at);
}

/** Source: `Matcher.appendExpandedReplacement`. */
function expand(replacement: string, match: RegExpExecArray): string {
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
      const group = groupAt(replacement, at + 1, match);
      out += group.text;
      at = group.end;
    } else {
      out += letter;
      at += 1;
    }
  }
  return out;
}

interface Group {
  readonly text: string;
  /** Where the replacement goes on. */
  readonly end: number;
}

function groupAt(replacement: string, at: number, match: RegExpExecArray): Group {
  const rest = replacement.slice(at);
  if (rest === "") throw illegalArgument("Illegal group reference: group index is missing");
  if (rest.startsWith("{")) return namedGroup(rest, at, match);
  if (!/^\d/.test(rest)) throw illegalArgument("Illegal group reference");
  const first = Number(rest.charAt(0));
  if (first >= match.length) {
    const reason = `No group ${first}`;
    throw new OperationError({ type: "index_out_of_bounds_exception", reason, status: 500 });
  }
  // As many digits as still name a group.
  let number = first;
  let end = at + 1;
  for (const digit of /^\d*/.exec(rest.slice(1))?.[0] ?? "") {
    const next = number * 10 + Number(digit);
    if (next >= match.length) break;
    number = next;
    end += 1;
  }
  return { text: match[number] ?? "", end };
}

function namedGroup(rest: string, at: number, match: RegExpExecArray): Group {
  const name = /^\{([a-zA-Z0-9]*)/.exec(rest)?.[1] ?? "";
  if (name === "" || rest.charAt(name.length + 1) !== "}") {
    throw illegalArgument("named capturing group is missing trailing '}'");
  }
  if (/^\d/.test(name)) {
    throw illegalArgument(`capturing group name {${name}} starts with digit character`);
  }
  if (match.groups === undefined || !Object.hasOwn(match.groups, name)) {
    throw illegalArgument(`No group with name {${name}}`);
  }
  return { text: lookup(match.groups, name) ?? "", end: at + name.length + 2 };
}
