/**
 * Metadata of an item (`_index`, `_id`, `_routing`, `_version`, …) as processors see it, and the item with the
 * metadata that they leave. Source: `IngestService.innerExecute`.
 */
import { classCast, type Metadata, type MetadataName, type Tree } from "@orrery/ingest";
import { JsonLiteral } from "@orrery/query";
import { fail, illegalArgument } from "@orrery/stdx";
import type { WriteItem } from "../types.ts";

/** Placeholder versions: `Versions.MATCH_ANY`, and `Versions.MATCH_DELETED` for a create. */
const ANY_VERSION = -3;
const NO_DOCUMENT = -4;

/** Placeholder version of an item without a version. */
export function placeholderVersion({ operation }: Pick<WriteItem, "operation">): number {
  return operation === "create" ? NO_DOCUMENT : ANY_VERSION;
}

/** Metadata of an item as the first processor sees it. */
export function metadataBefore(item: WriteItem): Metadata {
  return {
    _index: item.index,
    _id: item.id,
    _routing: item.routing,
    _version: item.version ?? placeholderVersion(item),
    _version_type: item.versionType ?? "internal",
  };
}

/** The item with the metadata after its pipelines. Throws `OperationError` for a metadata value of a wrong type or range. */
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

/**
 * Checks the version that the pipelines leave by the rules for a request. The product does not, and would write an
 * invalid external version.
 */
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

/** A sequence number or primary term; throws unless it is a non-negative integer. */
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
