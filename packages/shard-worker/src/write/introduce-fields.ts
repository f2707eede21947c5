/**
 * One document against a mapping that grows by what the document introduces, until nothing is missing.
 *
 * INV: each round asks for something that no round before it asked for, so the rounds end. A document that asks again for
 * what was just merged would go on for ever; it fails instead.
 */
import { jsonText, type Mapping, type ParsedDocument } from "@orrery/query";
import { OperationError, type JsonObject } from "@orrery/stdx";

export interface Introduced {
  readonly document: ParsedDocument;
  /** With all that the document introduced. */
  readonly mapping: Mapping;
}

export interface Growth {
  parse(mapping: Mapping): ParsedDocument;
  merge(mapping: Mapping, update: JsonObject): Mapping;
}

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
