/** The fields every index has: `_id`, `_routing`, `_seq_no` … They cannot be mapped or sent inside a document. */

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
