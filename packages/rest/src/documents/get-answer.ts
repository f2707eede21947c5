/** JSON of a document that was read. */
import type { GetResult } from "@orrery/node";
import { raw, type PrintableObject } from "../json/printable.ts";

/** The members of a `get` response. */
export function getJson(result: GetResult): PrintableObject {
  if (!result.found) return { _index: result.index, _id: result.id, found: false };
  return {
    _index: result.index,
    _id: result.id,
    _version: result.version,
    _seq_no: result.seqNo,
    _primary_term: result.primaryTerm,
    _routing: result.routing,
    found: true,
    _source: result.source === undefined ? undefined : raw(result.source),
    fields: result.fields,
  };
}
