/** `orrery config`: prints the options and node settings that `orrery up` would use, with the source of each. */
import { greatest } from "@orrery/stdx";
import { rememberedCluster } from "./cluster-folder.ts";
import { readConfiguration } from "./configuration/configuration.ts";
import { wordOf, type Given, type OptionValue } from "./configuration/given-value.ts";
import { dataPathOf, optionsInForce } from "./configuration/in-force.ts";
import { upOptionNames } from "./configuration/up-options.ts";
import { planUp } from "./up-plan.ts";

export async function config(args: readonly string[]): Promise<number> {
  const configuration = await readConfiguration(args, { json: { type: "boolean" } });
  const { line, file, settings } = configuration;
  // What `orrery up` would refuse is refused here, too.
  await planUp(configuration);
  const data = dataPathOf(configuration);
  const inForce = optionsInForce(
    configuration,
    data === undefined ? undefined : rememberedCluster(data),
  );
  if (line.flag("json")) {
    const event = {
      event: "config",
      file: file ?? null,
      options: Object.fromEntries(inForce),
      settings: Object.fromEntries(settings),
    };
    process.stdout.write(`${JSON.stringify(event)}\n`);
    return 0;
  }
  const none: Given<OptionValue> = { value: "", from: "not set" };
  const rows = [
    ...upOptionNames.map((name) => [name, inForce.get(name) ?? none] as const),
    ...[...settings].map(([key, given]) => [`settings.${key}`, given] as const),
  ].map(([name, { value, from }]) => [name, wordOf(value), from] as const);
  const all = [["option", "value", "from"] as const, ...rows];
  const widths = [0, 1].map((column) => greatest(all.map((row) => row[column]?.length ?? 0)));
  for (const row of all) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    process.stdout.write(`${cells.join("  ").trimEnd()}\n`);
  }
  return 0;
}
