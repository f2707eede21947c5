/** `cat.repositories`: snapshot repositories. */
import { repositoriesOf } from "@orrery/cluster-state";
import { column } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import type { Operation } from "../../operation.ts";
import { flag, managerTimeout } from "../../parameters.ts";
import { readState } from "../../state-reading.ts";

interface Row {
  readonly id: string;
  readonly type: string;
}

const query = { ...managerTimeout, local: flag(false) };

export const catRepositories: Operation = defineCat<typeof query, Row>({
  group: "cat.repositories",
  permission: "cluster:admin/repository/get",
  routes: ["GET /_cat/repositories"],
  query,
  deviations: [],
  columns: [
    column("id", ({ id }) => id, { aliases: "id,repoId", description: "unique repository id" }),
    column("type", ({ type }) => type, {
      aliases: "t,type",
      description: "repository type",
      isRight: true,
    }),
  ],

  async rows(call, cluster) {
    const state = await readState(cluster, call.query);
    return [...repositoriesOf(state)].map(([id, { type }]) => ({ id, type }));
  },
});
