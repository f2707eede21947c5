/** Names of the fields that every index has. They cannot be mapped, nor occur in a document. */

/** The product's metadata fields. Fields that are not implemented here are reserved names, too. */
export const METADATA_FIELDS: ReadonlySet<string> = new Set([
  "_data_stream_timestamp",
  "_doc_count",
  "_feature",
  "_field_names",
  "_id",
  "_ignored",
  "_index",
  "_nested_path",
  "_routing",
  "_seq_no",
  "_source",
  "_version",
  "_primary_term",
]);
