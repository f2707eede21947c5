/**
 * Which sources get systematic mutants, by area. A change of what shows only in statistics, descriptions and error texts, or of what
 * reads the input of clients and strangers, is no fault of a protocol: stories and fuzz targets judge those files.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";

/** The first area that a file belongs to is its own. */
const areas = {
  raft: ["raft/src"],
  snapshots: [
    ...[
      "cluster-manager/src/snapshots",
      "shard-worker/src/snapshot",
      "cluster-state/src/snapshots",
    ],
    "repository/src",
  ],
  "cluster-manager": ["cluster-manager/src"],
  replication: ["replication/src"],
  recovery: ["shard-worker/src/recovery"],
  engine: ["shard-worker/src/engine", "shard-worker/src/translog", "shard-worker/src/store"],
  write: ["shard-worker/src/write", "shard-worker/src/copy", "shard-worker/src/reconcile.ts"],
  allocation: ["allocation/src"],
  following: [
    ...["follower", "shard", "state", "leader"].map(
      (folder) => `plugin-cross-cluster-replication/src/${folder}`,
    ),
  ],
};

const shownOnly =
  /\/(index|types|settings|problems|counters|stats|status|progress-text|trace|quote|describe[^/]*|print[^/]*|explain|formation-warning|memory-storage|wire-messages|[^/]*-shape)\.ts$/;
const readsInput =
  /\/(implausible|repository-url|names|filter-names|fields|source-tree|parse-items|resolve-node|mapping-update)\.ts$/;

/** Paths below `packages`, each with its area. */
export function sourcesOfAreas() {
  const packages = join(root, "packages");
  const taken = new Map();
  for (const [area, places] of Object.entries(areas)) {
    for (const place of places) {
      const files = place.endsWith(".ts")
        ? [place]
        : readdirSync(join(packages, place), { recursive: true, encoding: "utf8" })
            .filter((file) => file.endsWith(".ts"))
            .map((file) => `${place}/${file}`);
      for (const file of files.toSorted())
        if (!shownOnly.test(file) && !readsInput.test(file) && !taken.has(file))
          taken.set(file, area);
    }
  }
  return [...taken].map(([file, area]) => ({ file, area }));
}
