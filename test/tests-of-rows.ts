/**
 * Tables whose rows need tests of their own. The tests of a row are the top-level `describe` blocks, in the folder of the
 * table, whose title is the name of the row, or the name, a comma and more words.
 */
import { crossClusterReplication } from "@orrery/plugin-cross-cluster-replication";
import { crossClusterReplicationCheckers } from "@orrery/plugin-cross-cluster-replication/checkers";
import { decidersByName } from "../packages/allocation/src/deciders/table.ts";
import type { Work } from "../packages/cluster-manager/src/decide.ts";
import { reducers } from "../packages/cluster-state/src/task.ts";
import { coreCheckers } from "../packages/scenario/src/checkers/compose.ts";
import { faultKinds } from "../packages/scenario/src/faults/table.ts";
import type { Capability } from "../packages/scenario/src/world.ts";
import { capabilities } from "../packages/scenario/src/worlds.ts";
import { filesBelow, read } from "./repository.ts";

interface TestedTable {
  readonly rows: readonly string[];
  /** Folder of the tests, below the repository. */
  readonly tests: string;
  /** Beginnings of titles: each row needs a test of each. */
  readonly titles?: readonly string[];
}

/** Kinds of work of the elected cluster manager: a new one does not compile without its row. */
const works: Readonly<Record<Work["kind"], true>> = {
  task: true,
  "shard-started": true,
  "shard-failed": true,
  reroute: true,
  commands: true,
};

/** Capabilities that worlds have by themselves, not by a rule of `packages/faults`. */
const ofWorlds: ReadonlySet<string> = new Set<Capability>([
  "crash",
  "lose-unsynced",
  "stop",
  "wipe",
  "add-node",
  "trace",
  "repository-corrupt",
]);

export const testedTables: Readonly<Record<string, TestedTable>> = {
  checkers: {
    rows: [...coreCheckers.keys()],
    tests: "packages/scenario/test",
    titles: ["holds", "finds"],
  },
  deciders: { rows: Object.keys(decidersByName), tests: "packages/allocation/test" },
  faults: { rows: faultKinds, tests: "packages/scenario/test" },
  "checkers of replication": {
    rows: crossClusterReplicationCheckers.map(({ name }) => name),
    tests: "packages/plugin-cross-cluster-replication/test",
    titles: ["holds", "finds"],
  },
  "reducers of replication": {
    rows: Object.keys(crossClusterReplication.reducers ?? {}),
    tests: "packages/plugin-cross-cluster-replication/test",
  },
  reducers: { rows: Object.keys(reducers), tests: "packages/cluster-state/test" },
  rules: {
    rows: [...capabilities.grpc].filter((capability) => !ofWorlds.has(capability)),
    tests: "packages/faults/test",
  },
  works: { rows: Object.keys(works), tests: "packages/cluster-manager/test" },
};

/** Titles of the tests of each row, by the row. */
export function testsOfRows({ tests }: TestedTable): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const file of filesBelow(tests, ".test.ts")) {
    for (const { name, titles } of describedIn(read(file))) {
      found.set(name, [...(found.get(name) ?? []), ...titles]);
    }
  }
  return found;
}

/** Top-level `describe` blocks of a formatted file, with the titles of their tests. */
function describedIn(
  source: string,
): readonly { readonly name: string; readonly titles: readonly string[] }[] {
  return [...source.matchAll(/^describe\("([\w/-]+)(?:, [^"]*)?", [^]*?^\}\);$/gm)].map(
    ([block, name = ""]) => ({
      name,
      titles: [
        ...block.matchAll(
          /\btest(?:\.each(?:<[^]*?>)?\([^]*?\]\s*(?:as \w+\s*)?,?\s*\))?\(\s*["`](.*?)["`],/g,
        ),
      ].map(([, title = ""]) => title),
    }),
  );
}
