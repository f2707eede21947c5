/** Double-quoted strings as SnakeYAML writes them: its escapes, and its line breaks beyond 80 columns. */

const BEST_WIDTH = 80;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\0", "0"],
  ["\u0007", "a"],
  ["\b", "b"],
  ["\t", "t"],
  ["\n", "n"],
  ["\u000B", "v"],
  ["\f", "f"],
  ["\r", "r"],
  ["\u001B", "e"],
  ['"', '"'],
  ["\\", "\\"],
  ["\u0085", "N"],
  ["\u00A0", "_"],
]);

/** A quoted string. `column` is that of the opening quote; continuation lines are indented by `indent`. */
export function yamlQuoted(text: string, column: number, indent: number): string {
  let out = '"';
  let at = column + 1;
  let pending = "";
  const chars = [...text];
  for (const [i, char] of chars.entries()) {
    const isVerbatim = char >= " " && char <= "~" && char !== '"' && char !== "\\";
    if (!isVerbatim) {
      const shown = escaped(char);
      out += pending + shown;
      at += pending.length + shown.length;
      pending = "";
    }
    const mayBreak = i > 0 && i < chars.length - 1 && (char === " " || !isVerbatim);
    if (mayBreak && at + pending.length > BEST_WIDTH) {
      out += `${pending}\\\n${" ".repeat(indent)}`;
      at = indent;
      pending = "";
      const next = isVerbatim ? char : chars[i + 1];
      if (next === " ") {
        out += "\\";
        at += 1;
      }
    }
    if (isVerbatim) pending += char;
  }
  return `${out}${pending}"`;
}

function escaped(char: string): string {
  const short = ESCAPES.get(char);
  if (short !== undefined) return `\\${short}`;
  const code = char.codePointAt(0) ?? 0;
  const isPrintable =
    (code >= 0xa0 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff) ||
    code >= 0x10000;
  if (isPrintable) return char;
  const hex = code.toString(16).padStart(code <= 0xff ? 2 : 4, "0");
  return `${code <= 0xff ? "\\x" : "\\u"}${hex}`;
}

const RESERVED =
  /^(true|True|TRUE|false|False|FALSE|null|Null|NULL|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|[yYnN]|~)$/;

/** A key with its colon: plain unless YAML forbids it or a parser would read it as another type. */
export function yamlKey(name: string, indent: number): string {
  if (RESERVED.test(name) || /^[-+.~\d]/.test(name)) return `${yamlQuoted(name, 0, indent)}:`;
  if (isPlain(name)) return `${name}:`;
  const hasSpecial = name === "" || /[^\x20-\x7E\u00A1-\uFFFD]/.test(name);
  // A key with escapes is no simple key in YAML, so it takes the `? key` form.
  if (hasSpecial) return `? ${yamlQuoted(name, 2, indent)}\n${" ".repeat(indent)}:`;
  return `'${name.replaceAll("'", "''")}':`;
}

function isPlain(name: string): boolean {
  if (name === "" || name !== name.trim() || /[^\x20-\x7E\u00A1-\uFFFD]/.test(name)) return false;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(name) || /^[?:]( |$)/.test(name)) return false;
  return !/: | #|:$/.test(name);
}
