/** Shape of an index's initial data in a plan: generated from the seed, or read from a file. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { readDocuments, type FileDocument, type FileText } from "./data-file.ts";
import { datasetNames, type DatasetName } from "./datasets.ts";
import { checkKeys, refuse, type Field, type Fields } from "./fields.ts";
import type { DataPlan, FileData, GeneratedData } from "./plan.ts";
import {
  fieldsOf,
  integer,
  keysOf,
  listOf,
  may,
  must,
  object,
  oneOf,
  or,
  readKeys,
  schemaOf,
  text,
  writeKeys,
  type Context,
  type Keys,
  type Shape,
} from "./shape.ts";

const MOST_DOCUMENTS = 1_000_000;

export const generatedDataKeys: Keys<GeneratedData> = {
  dataset: or(
    oneOf<DatasetName>("dataset", () => datasetNames),
    "words",
    "generated from the seed",
  ),
  documents: or(integer(1, MOST_DOCUMENTS), 100, "number of documents"),
};

/** File data in a scenario: documents are read from the file unless the plan contains them. */
interface FileDataInput {
  readonly file: string;
  readonly documents?: number;
  readonly contents?: readonly FileDocument[];
}

const sourceText: Shape<string> = {
  ...text,
  read: (field, what, context) => {
    const given = text.read(field, what, context);
    if (isObjectText(given)) return given;
    throw refuse(field.place, `[${what}] must be the text of a JSON object`);
  },
};

const contentsKeys: Keys<FileDocument> = {
  id: must(text, "its id"),
  source: must(sourceText, "its source, as JSON text"),
};

export const fileDataKeys: Keys<FileDataInput> = {
  file: must(text, "file beside the scenario: one JSON object per line, or lines for `_bulk`"),
  documents: may(integer(1, MOST_DOCUMENTS), "number of documents from its start; default: all"),
  contents: may(
    listOf(object(contentsKeys, "document")),
    "contents of the file, as a bundle stores them",
  ),
};

const fileKeys: readonly string[] = keysOf(fileDataKeys);
const generatedKeys: readonly string[] = keysOf(generatedDataKeys);

export const dataShape: Shape<DataPlan> = {
  read: (field, what, context) => {
    const fields = fieldsOf(field, what);
    checkKeys(fields, [...new Set([...generatedKeys, ...fileKeys])]);
    const isFile = fields.values.has("file");
    checkKeys(fields, isFile ? fileKeys : generatedKeys);
    return isFile ? readFileData(fields, context) : readKeys(fields, generatedDataKeys, context);
  },
  write: (value) =>
    "file" in value ? writeKeys(value, fileDataKeys) : writeKeys(value, generatedDataKeys),
  schema: { anyOf: [schemaOf(generatedDataKeys), schemaOf(fileDataKeys)] },
  says: "dataset",
};

function readFileData(fields: Fields, context: Context): FileData {
  const { file, documents, contents: given } = readKeys(fields, fileDataKeys, context);
  const field = fields.values.get("file") ?? { ...fields, value: file };
  const contents = given ?? contentsOf(field, file, context.readFile?.(file));
  if (contents.length === 0) throw refuse(field.place, `[file] names [${file}], without documents`);
  if (documents !== undefined && documents > contents.length) {
    const { place } = fields.values.get("documents") ?? fields;
    throw refuse(place, `[documents] is ${documents}, and [${file}] holds ${contents.length}`);
  }
  return { file, contents: contents.slice(0, documents) };
}

const unread: FileText = { refusal: "and no file can be read here" };

function contentsOf(
  { place }: Field,
  file: string,
  read: FileText = unread,
): readonly FileDocument[] {
  const documents = "text" in read ? readDocuments(read.text) : undefined;
  if (Array.isArray(documents)) return documents as readonly FileDocument[];
  const why = "refusal" in read ? read.refusal : `which ${String(documents)}`;
  throw refuse(place, `[file] names [${file}], ${why}`);
}

function isObjectText(given: string): boolean {
  try {
    return isJsonObject(JSON.parse(given) as Json);
  } catch {
    return false;
  }
}
