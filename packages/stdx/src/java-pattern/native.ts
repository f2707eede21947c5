/**
 * JavaScript's expression for patterns that no text can make slow: a few characters in a row, with at most one loop
 * over a set at the end, as `\W+`, `,\s*`, `-|_`. The engine is many times faster than steps.
 */
import type { CharSet } from "./char-set.ts";
import type { Node } from "./syntax.ts";

/** Longer patterns would be retried at each character. */
const PARTS_MAX = 8;

/**
 * The JavaScript expression for a pattern. `undefined`: some text could make the pattern slow, or one of its sets has
 * no short form; the matcher's own steps run it then.
 */
export function nativeExpression(node: Node): RegExp | undefined {
  const source = sourceOf(node);
  return source === undefined ? undefined : new RegExp(source, "gu");
}

function sourceOf(node: Node): string | undefined {
  if (node.kind === "any-of") {
    const sources = node.parts.map(sequence);
    return sources.includes(undefined) || sources.length > PARTS_MAX
      ? undefined
      : sources.join("|");
  }
  return sequence(node);
}

function sequence(node: Node): string | undefined {
  const parts = node.kind === "all-of" ? node.parts : [node];
  if (parts.length === 0 || parts.length > PARTS_MAX) return undefined;
  let source = "";
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    const piece = part.kind === "set" ? setSource(part.set) : isLast ? loop(part, i) : undefined;
    if (piece === undefined) return undefined;
    source += piece;
  }
  return source;
}

/** The pattern must not match the empty text, after which JavaScript continues differently. */
function loop(node: Node, index: number): string | undefined {
  if (node.kind !== "repeat" || node.part.kind !== "set" || node.mode !== "greedy")
    return undefined;
  const { min, max, part } = node;
  if (max !== Infinity || min > 1 || (min === 0 && index === 0)) return undefined;
  const set = setSource(part.set);
  return set && `${set}${min === 0 ? "*" : "+"}`;
}

function setSource({ native }: CharSet): string | undefined {
  return native === undefined ? undefined : `[${native}]`;
}
