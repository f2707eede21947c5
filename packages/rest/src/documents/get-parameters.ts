/** Parameters of single-document reads, and the coordinating node's request that they describe. */
import type { GetRequest } from "@orrery/node";
import {
  flag,
  list,
  long,
  text,
  versionType,
  type Parameter,
  type Parameters,
  type Parsed,
} from "../parameters.ts";
import { sourceFilterOf, sourceParameters, type SourceParameters } from "./source-filter.ts";

/** Parameters of the two operations that read one document. */
export interface GetParameters extends SourceParameters, Parameters {
  readonly preference: Parameter<string | undefined>;
  readonly realtime: Parameter<boolean>;
  readonly refresh: Parameter<boolean>;
  readonly routing: Parameter<string | undefined>;
  readonly version: Parameter<number | undefined>;
  readonly version_type: Parameter<"internal" | "external" | "external_gte" | undefined>;
}

export const getParameters: GetParameters = {
  ...sourceParameters,
  preference: text(),
  realtime: flag(true),
  refresh: flag(false),
  routing: text(),
  version: long(),
  version_type: versionType(),
};

export const storedFieldsParameter: Parameter<readonly string[] | undefined> = list();

/** The request to the coordinating node. */
export function getRequest(
  index: string,
  id: string,
  query: Parsed<GetParameters>,
  storedFields: readonly string[] = [],
): GetRequest {
  const fields = storedFields.filter((field) => field !== "_source" && field !== "_none_");
  const isSourceDefault = storedFields.length === 0 || storedFields.includes("_source");
  return {
    index,
    id,
    routing: query.routing,
    preference: query.preference,
    realtime: query.realtime,
    refresh: query.refresh,
    storedFields: fields,
    source: sourceFilterOf(query) ?? isSourceDefault,
    ...(query.version === undefined ? {} : { version: query.version }),
    ...(query.version_type === undefined ? {} : { versionType: query.version_type }),
  };
}
