/** The syntax tree of Java's patterns. */
import { greatest, least } from "../long-lists.ts";
import type { CharSet } from "./char-set.ts";

export type Mode = "greedy" | "lazy" | "possessive";

/** Positions that match without characters. */
export type Anchor =
  | "text-start"
  | "text-end"
  | "line-start"
  | "line-end"
  | "last-line-end"
  | "boundary"
  | "no-boundary"
  | "search-start";

export type Node =
  /** `width`: code units of a match, for a single character beyond the basic plane. */
  | { readonly kind: "set"; readonly set: CharSet; readonly width?: 2 }
  | { readonly kind: "all-of"; readonly parts: readonly Node[] }
  | { readonly kind: "any-of"; readonly parts: readonly Node[] }
  | {
      readonly kind: "repeat";
      readonly part: Node;
      readonly min: number;
      readonly max: number;
      readonly mode: Mode;
    }
  | { readonly kind: "group"; readonly part: Node; readonly number: number }
  | { readonly kind: "atomic"; readonly part: Node }
  | {
      readonly kind: "look";
      readonly part: Node;
      readonly isBehind: boolean;
      readonly isNegated: boolean;
    }
  | { readonly kind: "anchor"; readonly anchor: Anchor; readonly isUnixLines: boolean }
  | {
      readonly kind: "back-reference";
      readonly group: number;
      readonly fold: "none" | "ascii" | "unicode";
    };

export interface Syntax {
  readonly node: Node;
  /** Capturing groups, the whole match not counted. */
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
}

/**
 * The length of an unbounded loop over one set of characters, as `lengthOf` counts it. Java accepts look-behinds up to
 * this length, and refuses longer ones.
 */
export const LONG = 2_147_483_647;

/** The minimal and the maximal length of a match, in UTF-16 code units. */
export function lengthOf(node: Node): { readonly min: number; readonly max: number } {
  switch (node.kind) {
    case "set":
      return { min: node.width ?? 1, max: node.width ?? 1 };
    case "all-of": {
      const lengths = node.parts.map(lengthOf);
      return {
        min: lengths.reduce((sum, { min }) => sum + min, 0),
        max: lengths.reduce((sum, { max }) => sum + max, 0),
      };
    }
    case "any-of": {
      const lengths = node.parts.map(lengthOf);
      return {
        min: least(lengths.map(({ min }) => min)),
        max: greatest(lengths.map(({ max }) => max)),
      };
    }
    case "repeat": {
      const { min, max } = lengthOf(node.part);
      const count = node.part.kind === "set" ? Math.min(node.max, LONG) : node.max;
      return { min: min * node.min, max: max === 0 ? 0 : max * count };
    }
    case "group":
    case "atomic":
      return lengthOf(node.part);
    case "look":
    case "anchor":
      return { min: 0, max: 0 };
    case "back-reference":
      return { min: 0, max: Infinity };
  }
}
