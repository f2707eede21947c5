/**
 * Reads transcripts in the data-driven format: a directive, its input, `----`, the exact output, an empty line.
 *
 * `#` starts a comment line; a backslash at the end continues a directive; output that has empty lines stands between
 * pairs of `----`. The folders come from RAFT_TRANSCRIPTS or from the conformance data next to the repository.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

export interface Argument {
  readonly key: string;
  readonly values: readonly string[];
}

export interface Directive {
  readonly command: string;
  readonly arguments: readonly Argument[];
  readonly input: string;
  readonly expected: string;
  readonly line: number;
  /** Where the expected output stands: the first line, and the line after the last. */
  readonly output: readonly [number, number];
}

const conformanceRoot = fileURLToPath(
  new URL("../../../../shared/conformance/raft", import.meta.url),
);
const ownRoot = fileURLToPath(new URL("testdata", import.meta.url));

type Handler = (directive: Directive) => string;

/** Defines one test per transcript of the folder; `createHandler` makes a fresh handler for each file. */
export function runTranscripts(folder: string, createHandler: () => Handler): void {
  const root = path.join(process.env["RAFT_TRANSCRIPTS"] ?? conformanceRoot, folder);
  describe(`upstream transcripts of ${folder}`, () => {
    if (!existsSync(root)) {
      test.skip(`there are no transcripts: ${root} does not exist (set RAFT_TRANSCRIPTS)`, () => {});
      return;
    }
    test.each(transcriptsIn(root))("%s is reproduced byte for byte", (file) => {
      replay(path.join(root, file), createHandler());
    });
  });
}

/** The package's own transcripts. REWRITE=1 replaces the expected output by the actual one, for review. */
export function runOwnTranscripts(folder: string, createHandler: () => Handler): void {
  const root = path.join(ownRoot, folder);
  describe(`transcripts of ${folder}`, () => {
    test.each(transcriptsIn(root))("%s is reproduced byte for byte", (file) => {
      const name = path.join(root, file);
      if (process.env["REWRITE"] === "1") rewrite(name, createHandler());
      replay(name, createHandler());
    });
  });
}

function transcriptsIn(root: string): string[] {
  return readdirSync(root)
    .filter((file) => file.endsWith(".txt"))
    .toSorted();
}

function replay(name: string, handle: Handler): void {
  const directives = parseTranscript(readFileSync(name, "utf8"));
  expect(directives.length).toBeGreaterThan(0);
  for (const directive of directives) {
    const where = `${path.basename(name)}:${directive.line}: ${directive.command}`;
    expect(endLine(handle(directive)), where).toBe(directive.expected);
  }
}

function rewrite(name: string, handle: Handler): void {
  const lines = readFileSync(name, "utf8").split("\n");
  const written: string[] = [];
  let at = 0;
  for (const directive of parseTranscript(lines.join("\n"))) {
    const [from, to] = directive.output;
    written.push(...lines.slice(at, from), ...endLine(handle(directive)).split("\n").slice(0, -1));
    at = to;
  }
  writeFileSync(name, [...written, ...lines.slice(at)].join("\n"));
}

function endLine(output: string): string {
  return output === "" || output.endsWith("\n") ? output : `${output}\n`;
}

export function parseTranscript(text: string): Directive[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const directives: Directive[] = [];
  let at = 0;
  while (at < lines.length) {
    const start = at;
    let line = (lines[at++] ?? "").trim();
    if (line.startsWith("#") || line === "") continue;
    while (line.endsWith("\\") && at < lines.length) {
      line = `${line.slice(0, -1)} ${(lines[at++] ?? "").trim()}`;
    }
    const input: string[] = [];
    while (at < lines.length && lines[at] !== "----") input.push(lines[at++] ?? "");
    at += 1;
    const expected = readExpected(lines, at);
    const output: [number, number] = [at, expected.next - 1];
    at = expected.next;
    directives.push({
      ...parseDirective(line),
      input: input.join("\n").trim(),
      expected: expected.lines.map((each) => `${each}\n`).join(""),
      line: start + 1,
      output,
    });
  }
  return directives;
}

function readExpected(lines: string[], start: number): { lines: string[]; next: number } {
  let at = start;
  if (lines[at] !== "----") {
    while (at < lines.length && (lines[at] ?? "").trim() !== "") at += 1;
    return { lines: lines.slice(start, at), next: at + 1 };
  }
  at += 1;
  while (at < lines.length && !(lines[at] === "----" && lines[at + 1] === "----")) at += 1;
  return { lines: lines.slice(start + 1, at), next: at + 2 };
}

function parseDirective(line: string): { command: string; arguments: Argument[] } {
  const [command = "", ...words] = splitOutsideParentheses(line);
  return { command, arguments: words.map(parseArgument) };
}

function parseArgument(word: string): Argument {
  const at = word.indexOf("=");
  if (at === -1) return { key: word, values: [] };
  const value = word.slice(at + 1);
  const isList = value.length > 2 && value.startsWith("(") && value.endsWith(")");
  const values = isList
    ? value
        .slice(1, -1)
        .split(",")
        .map((each) => each.trim())
    : [value];
  return { key: word.slice(0, at), values };
}

function splitOutsideParentheses(line: string): string[] {
  const words: string[] = [];
  let word = "";
  let depth = 0;
  for (const character of `${line} `) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character !== " " || depth > 0) {
      word += character;
    } else if (word !== "") {
      words.push(word);
      word = "";
    }
  }
  return words;
}
