/**
 * `remote_store_migration`: always YES, since clusters here migrate to no remote store
 * (`RemoteStoreMigrationAllocationDecider`).
 */
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
