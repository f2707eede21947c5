/** Documents of a bulk as the segment writer wants them; fields they introduce are agreed on with the cluster first. */
import {
  checkPartitioned,
  createMapping,
  mergeMapping,
  type Mapping,
  type ParsedDocument,
} from "@orrery/query";
import type { Problem } from "@orrery/stdx";
import { itemProblem } from "../blame.ts";
import type { ShardCopy } from "../copy/shard-copy.ts";
import { introduceFields } from "./introduce-fields.ts";
import { proposeMapping } from "./mapping-update.ts";

export interface DocumentToParse {
  readonly id: string;
  readonly routing: string | undefined;
  readonly source: Uint8Array;
}

export type Parsed =
  | { readonly kind: "parsed"; readonly document: ParsedDocument }
  | { readonly kind: "failed"; readonly problem: Problem };

/**
 * In the order given: a later document sees the fields of an earlier one. When this returns, the applied mapping has all
 * of them.
 */
export function parseDocuments(
  copy: ShardCopy,
  documents: readonly (DocumentToParse | undefined)[],
): (Parsed | undefined)[] | Promise<(Parsed | undefined)[]> {
  const before = copy.service;
  const { parsed, mapping } = parseWith(copy, documents);
  if (mapping === before.mapping) return parsed;
  return proposeAndRepeat(copy, documents, mapping);
}

async function proposeAndRepeat(
  copy: ShardCopy,
  documents: readonly (DocumentToParse | undefined)[],
  wanted: Mapping,
): Promise<(Parsed | undefined)[]> {
  let mapping = wanted;
  for (;;) {
    const { metadata } = copy.service;
    try {
      await proposeMapping(copy, mapping.json, metadata.mappingVersion);
    } catch (error) {
      const problem = itemProblem(copy, error);
      return documents.map((document) => document && { kind: "failed", problem });
    }
    const again = parseWith(copy, documents);
    if (again.mapping === copy.service.mapping) return again.parsed;
    mapping = again.mapping;
  }
}

function parseWith(
  copy: ShardCopy,
  documents: readonly (DocumentToParse | undefined)[],
): { readonly parsed: (Parsed | undefined)[]; readonly mapping: Mapping } {
  let { mapping } = copy.service;
  const { settings } = copy.service.metadata;
  const parsed = documents.map((document): Parsed | undefined => {
    if (document === undefined) return undefined;
    try {
      const introduced = introduceFields(document.id, mapping, {
        parse: (known) => known.parseDocument(document.id, document.source, document.routing),
        merge: ({ json }, update) => {
          const merged = mergeMapping(json, update, settings, "dynamic");
          checkPartitioned(copy.index, merged, settings);
          return createMapping(merged, settings);
        },
      });
      ({ mapping } = introduced);
      return { kind: "parsed", document: introduced.document };
    } catch (error) {
      return { kind: "failed", problem: itemProblem(copy, error) };
    }
  });
  return { parsed, mapping };
}
