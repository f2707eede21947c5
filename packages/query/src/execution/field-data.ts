/**
 * Refusals of sorting and aggregating on fields without doc values, and of formats that a field
 * cannot print, in the product's words.
 */
import { illegalArgument } from "@orrery/stdx";
import type { CompiledField } from "../language/field-type.ts";
import type { BuildContext } from "../language/query.ts";

/**
 * Rejects a field that has no doc values. `_id` and `_index` pass: their values come from the
 * segment.
 * @throws OperationError 400 `illegal_argument_exception`
 */
export function requireFieldData(
  field: CompiledField,
  context: { readonly searcher: Pick<BuildContext["searcher"], "view"> },
): void {
  if (field.hasDocValues || field.name === "_id" || field.name === "_index") return;
  if (field.text === "analyzed") {
    throw illegalArgument(
      `Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${field.name}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`,
    );
  }
  if (field.isMetadata) {
    throw illegalArgument(
      `Fielddata is not supported on field [${field.name}] of type [${field.type}] in index [${context.searcher.view.index}]`,
    );
  }
  throw illegalArgument(
    `Can't load fielddata on [${field.name}] because fielddata is unsupported on fields of type [${field.type}]. Use doc values instead.`,
  );
}

/**
 * Rejects a `format` of the request for a field of terms, which cannot print in a format. Metadata
 * fields pass.
 * @throws OperationError 400 `illegal_argument_exception`
 */
export function refuseFormat(field: CompiledField, format: string | undefined): void {
  if (format === undefined || field.values.kind !== "terms" || field.isMetadata) return;
  throw illegalArgument(
    `Field [${field.name}] of type [${field.type}] does not support custom formats`,
  );
}
