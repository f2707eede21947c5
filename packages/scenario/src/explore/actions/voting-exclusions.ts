/** Action that excludes a node from the voting configuration, and clears the exclusion. */
import { attempt, until, wait, type ActionRow } from "./action.ts";

const clear = "DELETE /_cluster/voting_config_exclusions?wait_for_removal=false";

export const votingExclusions: ActionRow = {
  areas: ["membership"],
  fits: ({ clusters }) => clusters.every(({ nodes }) => nodes.length > 2),
  draw: (scene) => {
    const { name: cluster, nodes } = scene.cluster();
    const { name } = scene.random.pick(nodes);
    return [
      attempt(`POST /_cluster/voting_config_exclusions?node_names=${name}&timeout=2s`, { cluster }),
      wait(scene.ms(10, 2000)),
      ...(scene.chance(600) ? [attempt(clear, { cluster })] : []),
    ];
  },
  undo: ({ clusters }) => clusters.map(({ name: cluster }) => until(clear, [200], { cluster })),
};
