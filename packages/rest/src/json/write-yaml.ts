/** YAML as Jackson's generator prints it: block style, strings in double quotes, empty containers in flow style. */
import type { TextSink } from "./write-json.ts";
import { yamlKey, yamlQuoted } from "./yaml-text.ts";

interface Level {
  readonly kind: "object" | "array";
  readonly indent: number;
  isEmpty: boolean;
}

/** A sink for one YAML document. */
export function yamlSink(): TextSink {
  let out = "---";
  const levels: Level[] = [];
  /** Position of the next value: after `key:`, after `-`, or the whole document. */
  let place: "document" | "key" | "item" = "document";

  const before = (): void => {
    const level = levels.at(-1);
    if (level?.kind !== "array") return;
    startLine(level);
    out += "-";
    place = "item";
  };
  /** Starts a container's line lazily, because its first member decides whether it shares the line of its key or dash. */
  const startLine = (level: Level): void => {
    const isFirst = level.isEmpty;
    level.isEmpty = false;
    const continues = isFirst && isInItem(levels);
    if (continues) out += " ";
    else out += `\n${" ".repeat(level.indent)}`;
  };
  const open = (kind: "object" | "array"): void => {
    before();
    const parent = levels.at(-1);
    const indent = childIndent(parent, kind);
    levels.push({ kind, indent, isEmpty: true });
  };
  const close = (): void => {
    const level = levels.pop();
    if (level?.isEmpty === true) out += level.kind === "object" ? " {}" : " []";
    place = "key";
  };
  return {
    startObject: () => open("object"),
    endObject: close,
    startArray: () => open("array"),
    endArray: close,
    key: (name) => {
      const level = levels.at(-1);
      if (level !== undefined) startLine(level);
      out += yamlKey(name, level?.indent ?? 0);
      place = "key";
    },
    scalar: (literal, kind) => {
      before();
      out += " ";
      if (kind !== "text") {
        out += literal;
        return;
      }
      const column = out.length - out.lastIndexOf("\n") - 1;
      out += yamlQuoted(JSON.parse(literal) as string, column, (levels.at(-1)?.indent ?? -2) + 2);
    },
    text: () => `${out}${place === "document" && levels.length > 0 ? "" : "\n"}`,
  };
}

/** Whether the innermost container is an item of an array, so that its first line follows the dash. */
function isInItem(levels: readonly Level[]): boolean {
  return levels.at(-2)?.kind === "array";
}

/** Indentation of children. Items of an array are not indented below their key. */
function childIndent(parent: Level | undefined, kind: "object" | "array"): number {
  if (parent === undefined) return 0;
  if (parent.kind === "object" && kind === "array") return parent.indent;
  return parent.indent + 2;
}
