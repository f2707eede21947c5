/** Target: damaged files on a node's disks: those of the node store, of shards and of index metadata. */
import { createRandom } from "@orrery/stdx";
import {
  describeClusterCase,
  drawClusterCase,
  openDiskCluster,
  shrinkClusterCase,
  type ClusterCase,
} from "../files/disk-cluster.ts";
import { describeDamage, shrinkDamage } from "../files/damage.ts";
import { drawStoreCase, openStoreFiles, type StoreCase } from "../files/store-files.ts";
import { defineTarget, type Target } from "../target.ts";

type DiskCase = StoreCase | ClusterCase;

/**
 * Share of cases with real files in a temporary folder, which take milliseconds; those with a cluster take most of a
 * second.
 */
const STORE_CASES_OF_10 = 7;

export const disk: Target = defineTarget<DiskCase>({
  worlds: ["sim"],
  casesPerSession: 100,
  generate: (random) =>
    random.int(1, 10) <= STORE_CASES_OF_10 ? drawStoreCase(random) : drawClusterCase(random),
  open: async ({ seed }) => {
    const files = await openStoreFiles(createRandom(`${seed}:files`));
    const cluster = await openDiskCluster(seed);
    return {
      run: async (given) => (given.kind === "store" ? files.run(given) : cluster.run(given)),
      close: async () => {
        files.close();
        cluster.close();
      },
    };
  },
  shrink: function* (given) {
    if (given.kind === "cluster") yield* shrinkClusterCase(given);
    else for (const damage of shrinkDamage(given.damage)) yield { ...given, damage };
  },
  describe: (given) =>
    given.kind === "store"
      ? `node store: ${describeDamage(given.damage)}`
      : describeClusterCase(given),
  family: ({ kind }) => kind,
});
