/** Nothing is being migrated to a remote store, so every copy belongs on a non-remote node. */
import { yes } from "../decision.ts";
import type { Decider } from "./decider.ts";

export const remoteStoreMigration: Decider = {
  canAllocate(copy) {
    const kind = copy.primary ? "primary" : "replica";
    const verb = copy.nodeId === undefined ? "allocated" : "relocated";
    return yes(
      "remote_store_migration",
      () =>
        `[none migration_direction]: ${kind} shard copy can be ${verb} to a non-remote node for strict compatibility mode`,
    );
  },
};
