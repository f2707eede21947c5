/** Built-in normalizers by name. */
import { lowercase } from "../code-points.ts";
import type { Normalizer } from "../types.ts";

export const normalizers: ReadonlyMap<string, Normalizer> = new Map([
  ["lowercase", { name: "lowercase", normalize: lowercase }],
]);
