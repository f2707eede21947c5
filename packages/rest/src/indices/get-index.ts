/** Shared parts of `GET /{index}` and `HEAD /{index}`. */
import {
  dataStreamOf,
  indexSettingDefaults,
  indicesOptions,
  type IndexMetadata,
  type SettingTables,
} from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";
import { withReadableSettings } from "../cluster-state-json.ts";
import { settingsJson } from "../settings-json.ts";
import type { PrintableObject } from "../json/printable.ts";
import {
  flag,
  indexTargets,
  managerTimeout,
  onDemand,
  type IndexTargets,
  type ManagerTimeout,
  type Parameter,
  type Parameters,
  type Parsed,
} from "../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../state-reading.ts";
import { passBlocks } from "./blocks.ts";
import { aliasesJson } from "./alias-metadata.ts";

/** Parameters of `GET` and `HEAD /{index}`. */
export interface GetIndexParameters extends IndexTargets, ManagerTimeout, Parameters {
  readonly local: Parameter<boolean>;
  readonly include_defaults: Parameter<boolean>;
  readonly flat_settings: Parameter<boolean>;
}

export const getIndexParameters: GetIndexParameters = {
  ...indexTargets,
  ...managerTimeout,
  local: flag(false),
  include_defaults: flag(false),
  flat_settings: onDemand(flag(false)),
};

/** Aliases, mapping and settings by index. */
export async function indexInformation(
  expression: string | undefined,
  query: Parsed<GetIndexParameters>,
  { cluster, isHuman }: { readonly cluster: Cluster; readonly isHuman: boolean },
): Promise<PrintableObject> {
  const state = await readState(cluster, query);
  const targets = targetsOf(state, expressionsOf(expression), indicesOptions.strictExpandOpen, {
    query,
    nowMs: cluster.clock.nowMs(),
  });
  passBlocks(
    state,
    "metadata_read",
    targets.map(({ name }) => name),
  );
  return Object.fromEntries(
    targets.map(({ name, metadata }) => [
      name,
      indexJson(metadata, query, {
        isHuman,
        stream: dataStreamOf(state, name)?.name,
        known: cluster.product.rules.settings,
      }),
    ]),
  );
}

interface Shown {
  readonly isHuman: boolean;
  readonly stream: string | undefined;
  readonly known: SettingTables;
}

function indexJson(
  index: IndexMetadata,
  query: Parsed<GetIndexParameters>,
  { isHuman, stream, known }: Shown,
): PrintableObject {
  const isFlat = query.flat_settings;
  return {
    aliases: aliasesJson(index.aliases),
    mappings: index.mapping,
    settings: settingsJson(isHuman ? withReadableSettings(index.settings) : index.settings, isFlat),
    defaults: query.include_defaults
      ? settingsJson(indexSettingDefaults(known, index.settings), isFlat)
      : undefined,
    data_stream: stream,
  };
}
