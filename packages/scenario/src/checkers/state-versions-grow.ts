/**
 * INV-COORD-8: the versions of cluster states that a node applies, and that a cluster manager publishes, only increase
 * while the node runs, and one version is one state wherever it is applied.
 */
import type { RecordedEvent } from "../world.ts";
import { concerning, type Checker, type Finding } from "./checker.ts";

type Applied = Extract<RecordedEvent, { readonly kind: "cluster-state-applied" }>;
type Published = Extract<RecordedEvent, { readonly kind: "cluster-state-published" }>;

export const stateVersionsGrow: Checker = {
  name: "state-versions-grow",
  invariant: "INV-COORD-8",
  says: "Cluster state versions only increase on a running node, and one version is one state everywhere.",
  excusedBy: [],
  start: (world) => {
    const running = new Map<string, number>();
    const published = new Map<string, number>();
    const states = new Map<string, string>();

    const seeApplied = ({ node, version, stateUuid }: Applied): Finding => {
      const before = running.get(node) ?? 0;
      running.set(node, version);
      if (version <= before)
        return concerning(`${node} applied version ${version} after version ${before}`, { node });
      const key = `${world.clusterOf(node)}/${version}`;
      const known = states.get(key) ?? stateUuid;
      states.set(key, known);
      if (known === stateUuid) return undefined;
      return concerning(
        `version ${version} is [${known}] elsewhere and [${stateUuid}] on ${node}`,
        { node },
      );
    };

    const seePublished = ({ node, term, version }: Published): Finding => {
      const key = `${world.clusterOf(node)}/${term}`;
      const before = published.get(key) ?? running.get(node) ?? 0;
      published.set(key, version);
      if (version > before) return undefined;
      return concerning(
        `${node} published version ${version} in term ${term}, although there was version ${before}`,
        { node, term },
      );
    };

    return (event) => {
      if (event.kind === "cluster-state-applied") return seeApplied(event);
      if (event.kind === "cluster-state-published") return seePublished(event);
      // A restarted node applies committed states from its log again.
      if (event.kind === "node-started" || event.kind === "node-crashed")
        running.delete(event.node);
      return undefined;
    };
  },
};
