/** The part of a `_source` that an answer has. */
import type { WantedSource } from "@orrery/protocol";
import { filterSource, type SourceOption } from "@orrery/query";

/** The source option of a message. Without patterns the whole source is wanted. */
export function optionOf({ none, includes, excludes }: WantedSource): SourceOption {
  if (none) return { kind: "none" };
  const isAll = includes.length + excludes.length === 0;
  return isAll ? { kind: "all" } : { kind: "filter", includes, excludes };
}

/** The part of a source that is wanted; `undefined`: no source is wanted. */
export function keptSource(source: Uint8Array, wanted: SourceOption): Uint8Array | undefined {
  if (wanted.kind === "none") return undefined;
  return wanted.kind === "all" ? source : filterSource(source, wanted);
}
