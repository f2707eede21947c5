/**
 * One document against a mapping that grows by the fields that the document introduces, until no field is missing.
 *
 * Each round must ask for an update that no round before it asked for. A document that repeats an update after it was
 * merged would repeat it for ever; it fails.
 */
import { jsonText, type Mapping, type ParsedDocument } from "@orrery/query";
import { OperationError, type JsonObject } from "@orrery/stdx";

export interface Introduced {
  readonly document: ParsedDocument;
  /** The mapping with all fields that the document introduced. */
  readonly mapping: Mapping;
}

/**
 * Functions that extend a mapping: `parse` returns a document with a mapping update while fields are missing, and
 * `merge` applies that update.
 */
export interface Growth {
  parse(mapping: Mapping): ParsedDocument;
  merge(mapping: Mapping, update: JsonObject): Mapping;
}

/**
 * Parses a document, and extends the mapping until it has all of the document's fields.
 * @throws OperationError `mapper_parsing_exception`: a parse returns the same update again; also the errors of `parse`
 *   and `merge`.
 */
export function introduceFields(id: string, start: Mapping, growth: Growth): Introduced {
  let mapping = start;
  let asked: Set<string> | undefined;
  for (;;) {
    const document = growth.parse(mapping);
    const update = document.mappingUpdate;
    if (update === undefined) return { document, mapping };
    const text = jsonText(update);
    if (asked?.has(text) === true) throw unchanged(id, text);
    asked = (asked ?? new Set()).add(text);
    mapping = growth.merge(mapping, update);
  }
}

function unchanged(id: string, update: string): OperationError {
  return new OperationError({
    type: "mapper_parsing_exception",
    reason: `failed to parse document with id '${id}': the mapping update ${update} changes nothing`,
    status: 400,
  });
}
