/** Periodic warning in the log while no elected cluster manager is discovered (`ClusterFormationFailureHelper`). */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { Clock, Log } from "@orrery/ports";
import type { Links } from "./links.ts";
import type { ManagerSettings } from "./settings.ts";

export interface FormationWarningOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: ManagerSettings;
  readonly links: Links;
  readonly localNode: DiscoveryNode;
  /** Whether no elected cluster manager is known; `stopped` ends the warning. */
  readonly hasNoManager: () => boolean | "stopped";
  /** Names of nodes that lost part of what they acknowledged, and therefore do not vote. */
  readonly withLostLog: () => readonly string[];
}

/** Warns every `discovery.cluster_formation_warning_timeout`. The returned function cancels the timer. */
export function warnUntilDiscovered(options: FormationWarningOptions): () => void {
  const { clock, log, settings, links, localNode, hasNoManager } = options;
  const intervalMs = settings.duration("discovery.cluster_formation_warning_timeout");
  const warn = (): void => {
    const state = hasNoManager();
    if (state === "stopped") return;
    if (state) {
      const found = [localNode, ...links.connected.values()].map(({ name }) => name).join(", ");
      const hosts = settings.list("discovery.seed_hosts").join(", ");
      const advice = adviceOn(options.withLostLog());
      log(
        "warn",
        `cluster-manager not discovered yet: have discovered [${found}]; discovery will continue using [${hosts}] from hosts providers${advice}`,
      );
    }
    cancel = clock.setTimer(intervalMs, warn);
  };
  let cancel = clock.setTimer(intervalMs, warn);
  return () => cancel();
}

function adviceOn(lost: readonly string[]): string {
  if (lost.length === 0) return "";
  const [verb, them] = lost.length === 1 ? ["does", "it"] : ["do", "them"];
  return `; [${lost.join(", ")}] lost part of the cluster state and ${verb} not vote: start the other nodes, or run [orrery node repair] on ${them}`;
}
