/**
 * Validation of write requests on their own, before any cluster state is read. Source: `validate` of `IndexRequest`,
 * `DeleteRequest`, `UpdateRequest`.
 */
import type { WriteItem } from "@orrery/node";
import { illegalArgument, utf8Encode } from "@orrery/stdx";

type Problems = (string | undefined | false)[];

/**
 * Problems of an index or create operation, for `validate`; entries that are `undefined` or `false` are no problems.
 */
export function indexProblems(item: WriteItem): Problems {
  if (item.operation === "create") {
    if (item.versionType !== undefined && item.versionType !== "internal") {
      return ["create operations only support internal versioning. use index instead"];
    }
    if (item.version !== undefined) {
      return ["create operations do not support explicit versions. use index instead"];
    }
    if (item.ifSeqNo !== undefined || item.ifPrimaryTerm !== undefined) {
      return ["create operations do not support compare and set. use index instead"];
    }
  }
  const hasVersion = (item.versionType ?? "internal") !== "internal" || item.version !== undefined;
  return [
    item.index === "" && "index is missing",
    item.id === undefined &&
      hasVersion &&
      "an id must be provided if version type or value are set",
    ...versionProblems(item),
    item.pipeline === "" && "pipeline cannot be an empty string",
    tooLong(item.id),
  ];
}

/** Problems of a delete operation, for `validate`; entries that are `undefined` or `false` are no problems. */
export function deleteProblems(item: WriteItem): Problems {
  return [
    item.index === "" && "index is missing",
    (item.id === undefined || item.id === "") && "id is missing",
    ...versionProblems(item),
  ];
}

/** Members of an update body that validation reads. */
export interface UpdateBodyView {
  readonly hasScript: boolean;
  readonly hasDoc: boolean;
  readonly hasUpsert: boolean;
  readonly docAsUpsert: boolean;
}

/** Problems of an update operation, for `validate`; entries that are `undefined` or `false` are no problems. */
export function updateProblems(item: WriteItem, body: UpdateBodyView): Problems {
  const isConditional = item.ifSeqNo !== undefined;
  return [
    item.index === "" && "index is missing",
    (item.id === undefined || item.id === "") && "id is missing",
    ...versionProblems(item),
    isConditional &&
      (item.retryOnConflict ?? 0) > 0 &&
      "compare and write operations can not be retried",
    isConditional && body.docAsUpsert && "compare and write operations can not be used with upsert",
    isConditional &&
      body.hasUpsert &&
      "upsert requests don't support `if_seq_no` and `if_primary_term`",
    !body.hasScript && !body.hasDoc && "script or doc is missing",
    body.hasScript && body.hasDoc && "can't provide both script and doc",
    !body.hasDoc && body.docAsUpsert && "doc must be specified if doc_as_upsert is enabled",
  ];
}

const NONE: Problems = [];

function versionProblems(item: WriteItem): Problems {
  const { version, versionType, ifSeqNo, ifPrimaryTerm } = item;
  const isPlain =
    version === undefined &&
    versionType === undefined &&
    ifSeqNo === undefined &&
    ifPrimaryTerm === undefined;
  return isPlain ? NONE : guardProblems(item);
}

function guardProblems({
  version,
  versionType = "internal",
  ifSeqNo,
  ifPrimaryTerm,
}: WriteItem): Problems {
  const isConditional = ifSeqNo !== undefined;
  const isOther = versionType !== "internal";
  return [
    isOther &&
      (version ?? -1) < 0 &&
      `illegal version value [${version ?? -3}] for version type [${versionType.toUpperCase()}]`,
    !isOther &&
      version !== undefined &&
      "internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead",
    isConditional &&
      (isOther || version !== undefined) &&
      "compare and write operations can not use versioning",
    isConditional && ifPrimaryTerm === undefined && "ifSeqNo is set, but primary term is [0]",
    !isConditional &&
      ifPrimaryTerm !== undefined &&
      `ifSeqNo is unassigned, but primary term is [${ifPrimaryTerm}]`,
  ];
}

function tooLong(id: string | undefined): string | undefined {
  // A UTF-16 unit takes at most four bytes here, so an id of 128 units cannot exceed the limit of 512 bytes.
  if (id === undefined || id.length <= 128) return undefined;
  const length = utf8Encode(id).length;
  if (length <= 512) return undefined;
  return `id [${id}] is too long, must be no longer than 512 bytes but was: ${length}`;
}

/** Throws when `if_seq_no` or `if_primary_term` is negative. The product checks this while it parses the request. */
export function checkSeqNo(ifSeqNo: number | undefined, ifPrimaryTerm: number | undefined): void {
  if (ifSeqNo !== undefined && ifSeqNo < 0) {
    throw illegalArgument(`sequence numbers must be non negative. got [${ifSeqNo}].`);
  }
  if (ifPrimaryTerm !== undefined && ifPrimaryTerm < 0) {
    throw illegalArgument(`primary term must be non negative. got [${ifPrimaryTerm}]`);
  }
}
