/** Target: damaged blobs of a repository. */
import {
  describeRepositoryCase,
  drawRepositoryCase,
  openRepositoryCluster,
  shrinkRepositoryCase,
  type RepositoryCase,
} from "../files/repository-cluster.ts";
import { defineTarget, type Target } from "../target.ts";

export const repository: Target = defineTarget<RepositoryCase>({
  worlds: ["sim"],
  casesPerSession: 60,
  generate: drawRepositoryCase,
  open: ({ seed, nodes }) =>
    openRepositoryCluster(seed, nodes).then((cluster) => ({
      run: cluster.run,
      close: async () => cluster.close(),
    })),
  shrink: shrinkRepositoryCase,
  describe: describeRepositoryCase,
  family: ({ operation }) => operation,
});
