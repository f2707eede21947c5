/** `snapshot.get_repository`: registered repositories with type and settings. */
import { repositoriesOf, repositoryMissing } from "@orrery/cluster-state";
import { fail, matchesGlob } from "@orrery/stdx";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, managerTimeout, onDemand } from "../../parameters.ts";
import { settingsJson } from "../../settings-json.ts";
import { expressionsOf, readState } from "../../state-reading.ts";

export const snapshotGetRepository: Operation = defineOperation({
  group: "snapshot.get_repository",
  permission: "cluster:admin/repository/get",
  routes: ["GET /_snapshot", "GET /_snapshot/{repository}"],
  query: { ...managerTimeout, local: flag(false), flat_settings: onDemand(flag(false)) },
  deviations: [
    {
      kind: "parameter",
      name: "flat_settings",
      reason: "not in the description; the product takes it",
    },
  ],

  async handle({ path, query }, cluster) {
    const state = await readState(cluster, query);
    const all = repositoriesOf(state);
    const given = expressionsOf(path["repository"]);
    const wanted = given.length === 1 && given[0] === "_all" ? [] : given;
    const names = [...all.keys()].filter((name) => isWanted(name, wanted));
    for (const name of wanted) {
      if (!name.includes("*") && !all.has(name)) fail(repositoryMissing(name));
    }
    const shown = names.map((name) => {
      const { type, settings } = all.get(name) ?? { type: "", settings: {} };
      return [name, { type, settings: settingsJson(settings, query.flat_settings) }] as const;
    });
    return { body: Object.fromEntries(shown) };
  },
});

function isWanted(name: string, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  return wanted.some((pattern) => matchesGlob(pattern, name));
}
