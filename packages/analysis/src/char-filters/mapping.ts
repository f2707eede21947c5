/** The char filter `mapping`: replaces character sequences by rules `from => to`; at each position the longest match wins. */
import { javaText, greatest, illegalArgument, lookup, OperationError } from "@orrery/stdx";
import { refuseLonger } from "../growth.ts";
import { createOffsetMap } from "../offsets.ts";
import { refuseFile } from "../settings.ts";
import type { CharFilter } from "../types.ts";
import type { CharFilterFactory } from "./table.ts";

export const mapping: CharFilterFactory = (definition) => {
  refuseFile(definition, "mappings_path");
  const listed = definition["mappings"];
  if (listed === undefined || listed === null) {
    throw illegalArgument("mapping requires either `mappings` or `mappings_path` to be configured");
  }
  const rules = Array.isArray(listed) ? listed.map(String) : [javaText(listed)];
  const map = new Map<string, string>();
  for (const [i, rule] of rules.entries()) {
    const [from, to] = parseRule(rule, i + 1);
    map.set(from, to);
  }
  return createMappingFilter(map);
};

function parseRule(rule: string, line: number): [string, string] {
  const arrow = rule.lastIndexOf("=>");
  if (arrow < 0) {
    throw new OperationError({
      type: "runtime_exception",
      reason: `Line [${line}]: Invalid mapping rule : [${rule}]`,
      status: 500,
    });
  }
  return [unescape(rule.slice(0, arrow).trim()), unescape(rule.slice(arrow + 2).trim())];
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

function unescape(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/gsu, (_, hex?: string, char = "") =>
    hex === undefined
      ? (lookup(ESCAPES, char) ?? char)
      : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** A filter for the given replacements. */
export function createMappingFilter(map: ReadonlyMap<string, string>): CharFilter {
  const longest = Math.max(0, greatest([...map.keys()].map((from) => from.length)));
  const matchAt = (text: string, at: number): string | undefined => {
    for (let size = Math.min(longest, text.length - at); size > 0; size -= 1) {
      const candidate = text.slice(at, at + size);
      if (map.has(candidate)) return candidate;
    }
    return undefined;
  };
  return (text, most) => {
    const offsets = createOffsetMap();
    let out = "";
    let at = 0;
    while (at < text.length) {
      const from = matchAt(text, at);
      if (from === undefined) {
        out += text.charAt(at);
        at += 1;
        continue;
      }
      const to = map.get(from) ?? "";
      refuseLonger(out.length + to.length, most);
      const before = at - out.length;
      // A longer replacement: its surplus characters map to the end of the replaced sequence.
      for (let extra = from.length; extra < to.length; extra += 1) {
        offsets.add(out.length + extra, before + from.length - extra - 1);
      }
      out += to;
      at += from.length;
      if (from.length !== to.length) offsets.add(out.length, at - out.length);
    }
    return { text: out, correct: offsets.finish() };
  };
}
