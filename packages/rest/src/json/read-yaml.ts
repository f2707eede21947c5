/**
 * YAML bodies: block mappings and sequences, JSON's subset of flow style, plain and quoted scalars, comments.
 *
 * Anchors, tags, block scalars and multiple documents are rejected.
 */
import { MAX_NESTING } from "@orrery/query";
import { javaText, OperationError, setKey, type Json } from "@orrery/stdx";

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly number: number;
}

/** Parses a YAML document into JSON values. Throws `OperationError` for syntax that is invalid or not supported. */
export function jsonOfYaml(source: string): Json {
  const lines = significant(source);
  const cursor = { lines, at: 0, depth: 0 };
  const first = lines[0];
  if (first === undefined) return null;
  const value = block(cursor, first.indent);
  const rest = lines[cursor.at];
  if (rest !== undefined) throw bad(rest, "did not find expected <document end>");
  return value;
}

interface Cursor {
  /** Lines of the document; parsing never moves back before `at`. */
  readonly lines: Line[];
  at: number;
  depth: number;
}

function significant(source: string): Line[] {
  return source.split(/\r?\n/).flatMap((raw, i) => {
    const text = raw
      .replace(/(^|\s)#.*$/, (whole) => (inQuotes(raw, raw.indexOf(whole)) ? whole : ""))
      .trimEnd();
    if (text.trim() === "" || text === "---" || text === "...") return [];
    const indent = text.length - text.trimStart().length;
    return [{ indent, text: text.trimStart(), number: i + 1 }];
  });
}

function inQuotes(text: string, at: number): boolean {
  return (text.slice(0, at).match(/"/g)?.length ?? 0) % 2 === 1;
}

function block(cursor: Cursor, indent: number): Json {
  const line = cursor.lines[cursor.at];
  if (line === undefined) return null;
  if (cursor.depth >= MAX_NESTING) throw bad(line, "nested too deeply");
  cursor.depth += 1;
  const value = blockAt(cursor, line, indent);
  cursor.depth -= 1;
  return value;
}

function blockAt(cursor: Cursor, line: Line, indent: number): Json {
  if (line.text === "-" || line.text.startsWith("- ")) return sequence(cursor, indent);
  if (keyOf(line) !== undefined) return mapping(cursor, indent);
  cursor.at += 1;
  return scalar(line.text, line);
}

function sequence(cursor: Cursor, indent: number): Json {
  const items: Json[] = [];
  for (
    let line = cursor.lines[cursor.at];
    line?.indent === indent;
    line = cursor.lines[cursor.at]
  ) {
    if (line.text !== "-" && !line.text.startsWith("- ")) break;
    const text = line.text.slice(1).trimStart();
    const inner = { ...line, indent: indent + (line.text.length - text.length), text };
    if (text === "") {
      cursor.at += 1;
      items.push(nested(cursor, indent));
    } else {
      cursor.lines[cursor.at] = inner;
      items.push(block(cursor, inner.indent));
    }
  }
  return items;
}

function mapping(cursor: Cursor, indent: number): Json {
  const object: Record<string, Json> = {};
  for (
    let line = cursor.lines[cursor.at];
    line?.indent === indent;
    line = cursor.lines[cursor.at]
  ) {
    const found = keyOf(line);
    if (found === undefined) throw bad(line, "could not find expected ':'");
    cursor.at += 1;
    setKey(
      object,
      found.key,
      found.rest === "" ? nested(cursor, indent) : scalar(found.rest, line),
    );
  }
  return object;
}

/** The value of `key:` on the following lines: a deeper block, or a sequence at the same depth. */
function nested(cursor: Cursor, indent: number): Json {
  const next = cursor.lines[cursor.at];
  if (next === undefined) return null;
  if (next.indent > indent) return block(cursor, next.indent);
  return next.indent === indent && next.text.startsWith("- ") ? block(cursor, indent) : null;
}

function keyOf(line: Line): { readonly key: string; readonly rest: string } | undefined {
  const match =
    /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'{[&*!|>%@`#-][^:]*?|-[^\s:][^:]*?):(?:\s+(.*))?$/.exec(
      line.text,
    );
  if (match === null) return undefined;
  return { key: javaText(scalar(match[1] ?? "", line, true)), rest: match[2] ?? "" };
}

function scalar(text: string, line: Line, isKey = false): Json {
  if (/^["{[]/.test(text)) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      throw bad(line, "flow style other than JSON is not supported");
    }
  }
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (/^[&*!|>]/.test(text)) throw bad(line, "anchors, tags and block scalars are not supported");
  if (isKey) return text;
  if (text === "~" || text === "null") return null;
  if (text === "true" || text === "false") return text === "true";
  return /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/.test(text) ? Number(text) : text;
}

function bad(line: Line, why: string): OperationError {
  const reason = `while parsing YAML, line ${line.number}: ${why}`;
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}
