/** The processor `remove`: removes fields, or all fields but some. Source: `RemoveProcessor`. */
import { fail, illegalArgument } from "@orrery/stdx";
import type { IngestDocument } from "../document.ts";
import { configurationProblem } from "../options.ts";
import type { ProcessorType } from "../processor-type.ts";
import { printTree } from "../tree.ts";

export const remove: ProcessorType = {
  type: "remove",
  create(options) {
    const fields = options.optionalTemplates("field");
    const kept = options.optionalTemplates("exclude_field");
    if ((fields === undefined) === (kept === undefined))
      fail(configurationProblem("field", "either field or exclude_field must be set"));
    const ignoresMissing = options.flag("ignore_missing", false);
    return {
      process(document) {
        for (const field of fields ?? [])
          removeOne(document, field.render(document), ignoresMissing);
        if (kept !== undefined) {
          removeOthers(document, new Set(kept.map((field) => field.render(document))));
        }
        return "kept";
      },
    };
  },
};

function removeOne(document: IngestDocument, path: string, ignoresMissing: boolean): void {
  if (path === "" || !document.has(path)) {
    if (ignoresMissing) return;
    const reason =
      path === "" ? "field path cannot be null nor empty" : `field [${path}] doesn't exist`;
    throw illegalArgument(reason);
  }
  if (path === "_index" || path === "_version" || path === "_version_type")
    throw illegalArgument(`cannot remove metadata field [${path}]`);
  if (path === "_id") checkRemovableId(document);
  document.remove(path);
}

/** With an external version the id must stay: a generated id would have no such version. */
function checkRemovableId(document: IngestDocument): void {
  if (!document.has("_version_type")) return;
  const type = document.get("_version_type");
  if (type === "internal") return;
  const version = document.has("_version") ? printTree(document.get("_version")) : "null";
  throw illegalArgument(
    `cannot remove metadata field [_id] when specifying external version for the document, version: ${version}, version_type: ${String(type)}`,
  );
}

function removeOthers(document: IngestDocument, kept: ReadonlySet<string>): void {
  if (kept.size === 0 || (kept.size === 1 && kept.has(""))) return;
  for (const name of document.fieldNames()) if (!kept.has(name)) document.removeField(name);
}
