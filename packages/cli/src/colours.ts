/**
 * Colours of a terminal: used if standard output is one, unless `NO_COLOR` is set; `FORCE_COLOR` uses them everywhere.
 */

export type Style = "bold" | "soft" | "good" | "bad" | "doubtful";

const CODES: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  soft: [2, 22],
  good: [32, 39],
  bad: [31, 39],
  doubtful: [33, 39],
};

/** Paints a text, or returns it as it is. */
export type Paint = (style: Style, text: string) => string;

export function createPaint(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  if (!hasColours(stream, environment)) return (_style, text) => text;
  return (style, text) => {
    const [on, off] = CODES[style];
    return `\u001B[${on}m${text}\u001B[${off}m`;
  };
}

function hasColours(
  { isTTY = false }: { readonly isTTY?: boolean },
  {
    FORCE_COLOR: force,
    NO_COLOR: no,
    TERM: terminal,
  }: Readonly<Record<string, string | undefined>>,
): boolean {
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  if (no !== undefined && no !== "") return false;
  return isTTY && terminal !== "dumb";
}
