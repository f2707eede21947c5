/** Parameters of single-document writes, and the write options and item fields that they describe. */
import type { WriteItem, WriteOptions } from "@orrery/node";
import {
  activeShards,
  duration,
  long,
  refreshPolicy,
  versionType,
  type Parameter,
  type Parameters,
  type Parsed,
} from "../parameters.ts";
import { checkSeqNo } from "./write-checks.ts";

/** Parameters of every write. */
export interface WriteParameters extends Parameters {
  readonly refresh: Parameter<"true" | "false" | "wait_for">;
  readonly timeout: Parameter<number>;
  readonly wait_for_active_shards: Parameter<string | undefined>;
}

export const writeParameters: WriteParameters = {
  refresh: refreshPolicy(),
  timeout: duration("1m"),
  wait_for_active_shards: activeShards(),
};

/** Parameters of external versioning: version and version type. */
export interface VersionParameters extends Parameters {
  readonly version: Parameter<number | undefined>;
  readonly version_type: Parameter<"internal" | "external" | "external_gte" | undefined>;
}

export const versionParameters: VersionParameters = {
  version: long(),
  version_type: versionType(),
};

/** Conditions of optimistic concurrency control. */
export interface ConditionParameters extends Parameters {
  readonly if_seq_no: Parameter<number | undefined>;
  readonly if_primary_term: Parameter<number | undefined>;
}

export const conditionParameters: ConditionParameters = {
  if_seq_no: long(),
  if_primary_term: long(),
};

/** The options of the coordinating node's request. */
export function writeOptions(query: Parsed<WriteParameters>): WriteOptions {
  return {
    refresh: query.refresh,
    timeoutMs: query.timeout,
    waitForActiveShards: query.wait_for_active_shards,
  };
}

type Guards = Pick<WriteItem, "version" | "versionType" | "ifSeqNo" | "ifPrimaryTerm">;

/** Version and condition of a write; absent parameters have no key. */
export function guards(
  query: Partial<Parsed<VersionParameters> & Parsed<ConditionParameters>>,
): Guards {
  checkSeqNo(query.if_seq_no, query.if_primary_term);
  return {
    ...(query.version === undefined ? {} : { version: query.version }),
    ...(query.version_type === undefined ? {} : { versionType: query.version_type }),
    ...(query.if_seq_no === undefined ? {} : { ifSeqNo: query.if_seq_no }),
    ...(query.if_primary_term === undefined ? {} : { ifPrimaryTerm: query.if_primary_term }),
  };
}
