/** Names that a blob store lists are steps of paths: others fail the clean-up and the deletion that meet them, which remove nothing. */
import { composeProduct } from "@orrery/node";
import type { JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { inSnapshotWorld, type SnapshotWorld } from "../../snapshot-world.ts";
import { lyingRepository, type Lies } from "./plugin.ts";

async function inWorld(body: (world: SnapshotWorld, lies: Lies) => Promise<void>): Promise<void> {
  const lies: Lies = { folders: new Map(), blobs: new Map(), removed: [] };
  await inSnapshotWorld(
    11,
    async (world) => {
      const definition = { type: "lying", settings: { location: "/repositories/r" } };
      await world.ask("PUT", "/_snapshot/r", definition);
      const settings = { number_of_shards: 1, number_of_replicas: 0 };
      await world.ask("PUT", "/books", { settings });
      for (const snapshot of ["kept", "gone"]) {
        await world.ask("PUT", `/books/_doc/${snapshot}?refresh=true`, { n: 1 });
        await world.ask("PUT", `/_snapshot/r/${snapshot}?wait_for_completion=true`);
      }
      lies.removed.length = 0;
      await body(world, lies);
    },
    { product: composeProduct([lyingRepository(lies)]) },
  );
}

/** What a store lists in which folder; `I` stands for the index. */
const FOLDERS: readonly (readonly [string, string])[] = [
  ["indices", ".."],
  ["indices", "."],
  ["indices", ""],
  ["indices", "a/../.."],
  ["indices", "a\0b"],
  ["", "../pending-x"],
];
const BLOBS: readonly (readonly [string, string])[] = [
  ["indices/I/0", "../../../x"],
  ["indices/I", "../x"],
  ["", "pending-/../../x"],
];

describe.each([
  ["clean-up", "POST", "/_snapshot/r/_cleanup"],
  ["deletion", "DELETE", "/_snapshot/r/gone"],
] as const)("a %s", (_what, method, uri) => {
  const cases = [
    ...FOLDERS.map((lie) => ["folders", ...lie] as const),
    ...BLOBS.map((lie) => ["blobs", ...lie] as const),
  ];
  test.each(cases)(
    "of a store whose %s in [%s] are named [%s] fails",
    async (kind, folder, name) => {
      await inWorld(async (world, lies) => {
        lies[kind].set(folder, name);

        const { status, body } = await world.ask(method, uri);

        const reason = `[r] the blob store lists [${JSON.stringify(name)}] in [`;
        expect([status, lies.removed]).toEqual([500, []]);
        expect(JSON.stringify(body)).toContain(JSON.stringify(reason).slice(1, -1));

        lies[kind].clear();
        const all = await world.ask("GET", "/_snapshot/r/_all");
        const { snapshots } = all.body as { snapshots: JsonObject[] };
        expect(snapshots.map(({ snapshot, state }) => [snapshot, state])).toEqual([
          ["kept", "SUCCESS"],
          ["gone", "SUCCESS"],
        ]);
        const restored = await world.ask(
          "POST",
          "/_snapshot/r/gone/_restore?wait_for_completion=true",
          {
            rename_pattern: "books",
            rename_replacement: "again",
          },
        );
        expect(restored.body).toMatchObject({ snapshot: { shards: { failed: 0, successful: 1 } } });
        expect(await world.ask(method, uri)).toMatchObject({ status: 200 });
      });
    },
  );
});
