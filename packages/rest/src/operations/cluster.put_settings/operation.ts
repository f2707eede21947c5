/** `cluster.put_settings`: changes persistent and transient settings; `null` resets a setting, also by wildcard. */
import { flattenSettings, type SettingsChange } from "@orrery/cluster-state";
import { isJsonObject, lookup, type JsonObject } from "@orrery/stdx";
import { requiredMap } from "../../body.ts";
import { settingsJson } from "../../settings-json.ts";
import type { PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { duration, flag, managerTimeout, managerTimeoutMs, onDemand } from "../../parameters.ts";
import { validate } from "../../validation.ts";

export const clusterPutSettings: Operation = defineOperation({
  group: "cluster.put_settings",
  permission: "cluster:admin/settings/update",
  routes: ["PUT /_cluster/settings"],
  query: {
    ...managerTimeout,
    timeout: duration("30s"),
    flat_settings: onDemand(flag(false)),
  },
  body: requiredMap,
  deviations: [],

  async handle({ query, body }, cluster) {
    const persistent = section(body.object, "persistent");
    const transient = section(body.object, "transient");
    const isEmpty = Object.keys(persistent).length + Object.keys(transient).length === 0;
    validate([isEmpty && "no settings to update"]);
    const { acknowledged } = await cluster.submit(
      { kind: "update-cluster-settings", persistent, transient },
      {
        managerTimeoutMs: managerTimeoutMs(query),
        ackTimeoutMs: query.timeout,
        priority: "IMMEDIATE",
      },
    );
    return {
      body: {
        acknowledged,
        persistent: changed(persistent, query.flat_settings),
        transient: changed(transient, query.flat_settings),
      },
    };
  },
});

function section(body: JsonObject, name: string): SettingsChange {
  const value = lookup(body, name);
  return isJsonObject(value) ? flattenSettings(value) : {};
}

/** The settings of the request with a value; reset ones are left out. */
function changed(change: SettingsChange, isFlat: boolean): PrintableObject {
  const kept = Object.entries(change).flatMap(([key, value]) =>
    value === null ? [] : [[key, value] as const],
  );
  return settingsJson(Object.fromEntries(kept), isFlat);
}
