/**
 * The documents of a bulk, parsed for the segment writer. Fields that they introduce are in the applied mapping
 * before any document is indexed.
 */
import {
  checkPartitioned,
  extendMapping,
  type DocumentSource,
  type Mapping,
  type ParsedDocument,
} from "@orrery/query";
import { inTurns, type RequestContext } from "@orrery/ports";
import type { Problem } from "@orrery/stdx";
import { itemProblem } from "../blame.ts";
import type { ShardCopy } from "../copy/shard-copy.ts";
import { introduceFields, type Introduced } from "./introduce-fields.ts";
import { proposeMapping } from "./mapping-update.ts";

/** A document after the plugins' hooks. */
export interface DocumentToParse {
  readonly id: string;
  readonly routing: string | undefined;
  readonly source: DocumentSource;
}

/** The result for one item: the parsed document, or a problem. */
export type Parsed =
  | { readonly kind: "parsed"; readonly document: ParsedDocument }
  | { readonly kind: "failed"; readonly problem: Problem };

/**
 * Parses documents in the given order, since a later document sees the fields of an earlier one. The result of an entry
 * without a document is `undefined`. The function returns a promise only if a field is missing in the mapping, or the
 * work does not fit one turn.
 */
export function parseDocuments(
  copy: ShardCopy,
  documents: readonly (DocumentToParse | undefined)[],
  context: RequestContext,
): (Parsed | undefined)[] | Promise<(Parsed | undefined)[]> {
  const attempt = parseInTurns(copy, documents);
  if (attempt instanceof Promise || attempt.mapping !== attempt.service.mapping)
    return repeatUntilKnown(copy, { documents, context }, attempt);
  return attempt.parsed;
}

/** One pass over all documents. */
interface Attempt {
  readonly parsed: (Parsed | undefined)[];
  /** The mapping with all fields that the documents introduced. */
  readonly mapping: Mapping;
  /** The index as it was when the pass began. */
  readonly service: ShardCopy["service"];
}

/** The documents of one request. */
interface Asked {
  readonly documents: readonly (DocumentToParse | undefined)[];
  readonly context: RequestContext;
}

/**
 * Repeats the pass until the applied mapping is the one that the documents were parsed with: proposals of others, and
 * rests between turns, may change it.
 */
async function repeatUntilKnown(
  copy: ShardCopy,
  { documents, context }: Asked,
  first: Attempt | Promise<Attempt>,
): Promise<(Parsed | undefined)[]> {
  let attempt = await first;
  // The mapping may also have changed while the documents were parsed.
  while (attempt.mapping !== copy.service.mapping) {
    const { mapping, service } = attempt;
    if (mapping !== service.mapping) {
      try {
        await proposeMapping(copy, { mapping: mapping.json, base: service.metadata, context });
      } catch (error) {
        const problem = itemProblem(copy, error);
        return documents.map((document) => document && { kind: "failed", problem });
      }
    }
    attempt = await parseInTurns(copy, documents);
  }
  return attempt.parsed;
}

/** One pass, in turns. */
function parseInTurns(
  copy: ShardCopy,
  documents: readonly (DocumentToParse | undefined)[],
): Attempt | Promise<Attempt> {
  return inTurns(copy.worker.clock, (isTurnOver) => parseSteps(copy, documents, isTurnOver));
}

/** Rests between two documents. A document that fails leaves the mapping as it was. */
function* parseSteps(
  copy: ShardCopy,
  documents: readonly (DocumentToParse | undefined)[],
  isTurnOver: () => boolean,
): Generator<undefined, Attempt> {
  const { service } = copy;
  let { mapping } = service;
  const parsed: (Parsed | undefined)[] = [];
  for (const document of documents) {
    if (document === undefined) {
      parsed.push(undefined);
      continue;
    }
    if (isTurnOver()) yield undefined;
    try {
      const introduced = introduce(copy, document, mapping);
      ({ mapping } = introduced);
      parsed.push({ kind: "parsed", document: introduced.document });
    } catch (error) {
      parsed.push({ kind: "failed", problem: itemProblem(copy, error) });
    }
  }
  return { parsed, mapping, service };
}

/** Parses one document; its new fields must suit the index's partitioning. */
function introduce(copy: ShardCopy, document: DocumentToParse, mapping: Mapping): Introduced {
  const { settings } = copy.service.metadata;
  return introduceFields(document.id, mapping, {
    parse: (known) => known.parseDocument(document.id, document.source, document.routing),
    merge: (known, update) => {
      const extended = extendMapping(known, update);
      checkPartitioned(copy.index, extended, settings);
      return extended;
    },
  });
}
