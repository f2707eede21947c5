/**
 * The parts of a variable such as `doc['field'].date.year`. Source: `VariableContext`,
 * `JavascriptCompiler.normalizeQuotes`.
 */

/** One part, without its dot, brackets or quotes. */
export interface PathPart {
  readonly kind: "member" | "method" | "text-index" | "number-index";
  readonly text: string;
}

const PART = /\.?([_$a-zA-Z][_$a-zA-Z0-9]*)(\(\))?|\['((?:\\.|[^\\'])*)'\]|\[([0-9]+)\]/y;

/** Splits a variable that the parser accepted and whose quotes are normalized. */
export function pathOfVariable(variable: string): readonly PathPart[] {
  const parts: PathPart[] = [];
  PART.lastIndex = 0;
  for (let found = PART.exec(variable); found !== null; found = PART.exec(variable)) {
    const [, member, parentheses, text, number] = found;
    if (member !== undefined)
      parts.push({ kind: parentheses === undefined ? "member" : "method", text: member });
    else if (text !== undefined)
      parts.push({ kind: "text-index", text: text.replaceAll(/\\(.)/gs, "$1") });
    else parts.push({ kind: "number-index", text: number ?? "" });
  }
  return parts;
}

/** Replaces double by single quotes, so that `doc["n"]` and `doc['n']` are the same variable. */
export function normalizeQuotes(variable: string): string {
  return variable.replaceAll(
    /'(?:\\.|[^\\'])*'|"((?:\\.|[^\\"])*)"/gs,
    (whole: string, text: string | undefined) => {
      if (text === undefined) return whole;
      const plain = text.replaceAll(/\\(.)/gs, "$1");
      return `'${plain.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
    },
  );
}
