/** Options in force: those of the configuration, else what the data folder remembers of its cluster, else defaults. */
import { zoneSequence, type RememberedCluster } from "../cluster-folder.ts";
import type { Configuration } from "./configuration.ts";
import { readOption, type Given, type OptionValue } from "./given-value.ts";
import { upOptionNames, upOptions, type UpOptionName } from "./up-options.ts";

export type InForce = ReadonlyMap<UpOptionName, Given<OptionValue>>;

/** The data folder that the configuration names; `undefined`: a temporary one. */
export function dataPathOf({ options }: Configuration): string | undefined {
  const data = options.get("data")?.value;
  return data === undefined ? undefined : String(data);
}

export function optionsInForce(
  { options }: Configuration,
  remembered: RememberedCluster | undefined,
): InForce {
  const kept = new Map<UpOptionName, OptionValue>();
  if (remembered !== undefined) {
    kept.set("nodes", remembered.nodes);
    kept.set("zones", zoneSequence(remembered));
  }
  return new Map(
    upOptionNames.flatMap((name) => {
      const value = kept.get(name);
      const given =
        options.get(name) ??
        (value === undefined ? defaultOf(name) : { value, from: "data folder" });
      return given === undefined ? [] : [[name, given] as const];
    }),
  );
}

function defaultOf(name: UpOptionName): Given<OptionValue> | undefined {
  const { otherwise, form } = upOptions[name];
  if (otherwise === undefined) return undefined;
  const from = "default";
  return { value: readOption({ value: otherwise, label: name, where: "", from }, form), from };
}

/** Value of an option that is a number; `undefined` if it has none. */
export function numberIn(inForce: InForce, name: UpOptionName): number | undefined {
  const given = inForce.get(name);
  return given === undefined ? undefined : Number(given.value);
}

/** Value of an option that is a list; empty if it has none. */
export function listIn(inForce: InForce, name: UpOptionName): readonly string[] {
  const value = inForce.get(name)?.value;
  return typeof value === "object" ? value : [];
}
