/** Reference page of node settings, generated from their tables (`npm run reference`). */
import type { Setting } from "./setting.ts";
import type { SettingTables } from "./table.ts";

/** Contents of the page docs/reference/settings.md. */
export function settingsReference({ cluster, nodeOnly }: SettingTables): string {
  const all = [...cluster.byKey.values(), ...nodeOnly.byKey.values()];
  const list = (hasEffect: boolean): readonly string[] =>
    all
      .filter((setting) => setting.hasEffect === hasEffect)
      .map(nameOf)
      .toSorted()
      .map((name) => `- ${name}`);
  return [
    "# Node settings",
    "",
    "Made by `npm run reference` from the tables of settings. `orrery up -E setting=value` takes these settings for all nodes; those that are dynamic",
    "are taken by `PUT /_cluster/settings`, too. `*` stands for one level, and a name that ends with a dot for all settings that begin with it.",
    "[Command line](cli.md) describes the settings of addresses and ports.",
    "",
    "## With an effect",
    "",
    ...list(true),
    "",
    "## Accepted without effect",
    "",
    "The product has these settings, so that its configurations are accepted; values are checked, shown, and not used. `orrery up` names those that it is given.",
    "",
    ...list(false),
    "",
  ].join("\n");
}

function nameOf({ key, isDynamic }: Setting): string {
  return isDynamic ? `\`${key}\` (dynamic)` : `\`${key}\``;
}
