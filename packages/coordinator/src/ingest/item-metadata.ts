/** Metadata of an item as its document shows it to pipelines, and the item as they leave it. Source: `IngestService.innerExecute`. */
import { classCast, type Metadata, type MetadataName, type Tree } from "@orrery/ingest";
import { JsonLiteral } from "@orrery/query";
import { fail, illegalArgument } from "@orrery/stdx";
import type { WriteItem } from "../types.ts";

/** `Versions.MATCH_ANY`; `Versions.MATCH_DELETED` of a document that may not be there yet. */
const ANY_VERSION = -3;
const NO_DOCUMENT = -4;

/** Of an item without a version: the number that stands for none. */
export function placeholderVersion({ operation }: Pick<WriteItem, "operation">): number {
  return operation === "create" ? NO_DOCUMENT : ANY_VERSION;
}

export function metadataBefore(item: WriteItem): Metadata {
  return {
    _index: item.index,
    _id: item.id,
    _routing: item.routing,
    _version: item.version ?? placeholderVersion(item),
    _version_type: item.versionType ?? "internal",
  };
}

/** Throws `OperationError` for metadata that is none. */
export function metadataAfter(
  item: WriteItem,
  metadata: ReadonlyMap<MetadataName, Tree>,
): WriteItem {
  const id = textOf(metadata.get("_id"));
  if (id === "") throw illegalArgument("if _id is specified it must not be empty");
  const {
    version: _version,
    versionType: _type,
    ifSeqNo: givenSeqNo,
    ifPrimaryTerm: givenTerm,
    ...rest
  } = item;
  const version = versionOf(metadata);
  const versionType = versionTypeOf(textOf(metadata.get("_version_type")));
  checkVersion(version, versionType ?? "internal");
  const ifSeqNo = numberOf(metadata.get("_if_seq_no")) ?? givenSeqNo;
  const ifPrimaryTerm = numberOf(metadata.get("_if_primary_term")) ?? givenTerm;
  if ((ifSeqNo === undefined) !== (ifPrimaryTerm === undefined)) {
    throw illegalArgument(
      `ifSeqNo is [${ifSeqNo ?? -2}], but primary term is [${ifPrimaryTerm ?? 0}]`,
    );
  }
  return {
    ...rest,
    index: textOf(metadata.get("_index")) ?? "",
    id,
    routing: textOf(metadata.get("_routing")),
    ...(version === undefined ? {} : { version }),
    ...(versionType === undefined ? {} : { versionType }),
    ...(ifSeqNo === undefined ? {} : { ifSeqNo: natural(ifSeqNo) }),
    ...(ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm: natural(ifPrimaryTerm) }),
  };
}

function textOf(value: Tree | undefined): string | undefined {
  if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
  return fail(classCast(value, "java.lang.String"));
}

function numberOf(value: Tree | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (value instanceof JsonLiteral) return Math.trunc(Number(value.text));
  return fail(classCast(value, "java.lang.Number"));
}

function versionOf(metadata: ReadonlyMap<MetadataName, Tree>): number | undefined {
  const version = numberOf(metadata.get("_version"));
  return version === ANY_VERSION || version === NO_DOCUMENT ? undefined : version;
}

/** As of a request, which the product does not check again: it would write an external version that is none. */
function checkVersion(version: number | undefined, type: string): void {
  if (type === "internal") {
    if (version === undefined) return;
    throw illegalArgument(
      "internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead",
    );
  }
  if (version !== undefined && Number.isSafeInteger(version) && version >= 0) return;
  const shown = version ?? ANY_VERSION;
  throw illegalArgument(
    `illegal version value [${shown}] for version type [${type.toUpperCase()}]`,
  );
}

/** Sequence numbers and terms that a shard takes. */
function natural(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw illegalArgument(`sequence numbers must be non negative. got [${value}].`);
}

function versionTypeOf(name: string | undefined): WriteItem["versionType"] {
  if (name === undefined || name === "internal" || name === "external" || name === "external_gte")
    return name;
  if (name === "external_gt") return "external";
  throw illegalArgument(`No version type match [${name}]`);
}
