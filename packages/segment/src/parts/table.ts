/** The registry of segment parts: the core's kinds, and those that modules add. */
import { assert } from "@orrery/stdx";
import type { SegmentPart, SegmentParts } from "../part.ts";
import { binaryPart } from "./binary.ts";
import { doublePart, longPart } from "./numbers.ts";
import { keywordPart, textPart } from "./terms.ts";

const coreRows: readonly SegmentPart[] = [textPart, keywordPart, longPart, doublePart, binaryPart];

/** The core's kinds of parts together with those of plugins. Asserts that no kind occurs twice. */
export function composeSegmentParts(rows: readonly SegmentPart[]): SegmentParts {
  const all = [...coreRows, ...rows];
  const parts = new Map(all.map((row) => [row.kind, row]));
  assert(parts.size === all.length, "two segment parts are of one kind");
  return parts;
}

/** The core's kinds of parts, without those of plugins. */
export const coreSegmentParts: SegmentParts = composeSegmentParts([]);
