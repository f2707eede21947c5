/** Moments of nodes: starts and ends, elections, joins and leaves, and the faults that cause them. */
import { lookup } from "@orrery/stdx";
import type { RecordedEvent } from "../types.ts";
import type { AddCandidate, Narrator } from "./moment.ts";
import { counted, listed } from "./words.ts";

type FaultEvent = Extract<
  RecordedEvent,
  { readonly kind: "fault-started" | "fault-ended" | "fault-receipt" }
>;

/** Faults whose effect is that a node goes down: the moment names the node instead of the fault. */
const ENDINGS: Readonly<Record<string, string>> = {
  crash: "loses power",
  "crash-with": "loses power",
  "pages-lost": "loses power",
  kill: "is killed",
  restart: "loses power",
  stop: "stops",
};

export function narrateNodes(add: AddCandidate): Narrator {
  const started = new Set<string>();
  let elections = 0;
  const faults: FaultEvent[] = [];
  /** Effect of the fault that took the node down. The fault is recorded after its injection, so the end looks for it. */
  const effectOn = (node: string, downMs: number): string | undefined => {
    const cause = faults.find(
      ({ at_ms: atMs, description }) =>
        atMs >= downMs && atMs - downMs <= INJECTION_MS && mentions(description, node),
    );
    return cause && lookup(ENDINGS, cause.fault);
  };
  const goesDown = (node: string, atMs: number, otherwise: string): void => {
    add({
      ...{ atMs, kind: "nodes", weight: 84, key: `down ${otherwise}`, part: node, nodes: [node] },
      says: (who, count) => {
        const [verb = "", ...rest] = (effectOn(node, atMs) ?? otherwise).split(" ");
        return [who, count === 1 ? verb : plural(verb), ...rest].join(" ");
      },
    });
  };
  return {
    event: (event) => {
      const { node, at_ms: atMs } = event;
      switch (event.kind) {
        case "node-started": {
          const isAgain = started.has(node);
          started.add(node);
          const again = isAgain ? " again" : "";
          add({
            ...{ atMs, kind: "nodes", weight: isAgain ? 78 : elections === 0 ? 40 : 76 },
            ...{ key: `up${again}`, part: node, nodes: [node] },
            says: (who, count) => `${who} ${count === 1 ? "starts" : "start"}${again}`,
          });
          return;
        }
        case "node-crashed":
          return goesDown(node, atMs, "crashes");
        case "node-stopped":
          return goesDown(node, atMs, "stops");
        case "cluster-manager-elected":
        case "cluster-manager-stepped-down":
          tellElection(event, elections === 0, add);
          if (event.kind === "cluster-manager-elected") elections += 1;
          return;
        case "fault-started":
          faults.push(event);
          if (!Object.hasOwn(ENDINGS, event.fault)) tellFault(event, add);
          return;
        case "fault-receipt":
          if (!Object.hasOwn(ENDINGS, event.fault)) tellReceipt(event, add);
          return;
        default:
      }
    },
  };
}

type ElectionEvent = Extract<
  RecordedEvent,
  { readonly kind: "cluster-manager-elected" | "cluster-manager-stepped-down" }
>;

function tellElection(event: ElectionEvent, isFirst: boolean, add: AddCandidate): void {
  const { node, term, at_ms: atMs } = event;
  const isElected = event.kind === "cluster-manager-elected";
  const words = isElected
    ? `${node} is elected cluster manager, term ${term}`
    : `${node} steps down as cluster manager of term ${term}`;
  const weight = isElected ? (isFirst ? 70 : 92) : 66;
  add({ atMs, kind: "election", weight, nodes: [node], says: () => words });
}

/** Longest time between the end of a node and the record of the fault that caused it. */
const INJECTION_MS = 500;

/** Verb of several subjects: `loses` becomes `lose`, `is` becomes `are`. */
function plural(verb: string): string {
  if (verb === "is") return "are";
  return verb.endsWith("shes") ? verb.slice(0, -2) : verb.slice(0, -1);
}

function mentions(description: string, node: string): boolean {
  return description.split(/[ ,()]+/).includes(node);
}

function nodesIn(description: string): readonly string[] {
  return description.match(/[\w-]+-\d+\b/g) ?? [];
}

function tellFault({ fault, description, at_ms: atMs }: FaultEvent, add: AddCandidate): void {
  const about = description === "" ? "" : `: ${description}`;
  add({
    ...{ atMs, kind: "fault", weight: 86, nodes: nodesIn(description) },
    says: () => `the fault ${fault} begins${about}`,
  });
}

function tellReceipt(event: FaultEvent, add: AddCandidate): void {
  if (event.kind !== "fault-receipt") return;
  const { fault, description, hits, at_ms: atMs } = event;
  const effect = hits === 0 ? "it changed nothing" : `it changed ${counted(hits, "event")}`;
  add({
    ...{ atMs, kind: "fault", weight: 72, nodes: nodesIn(description) },
    says: () => `the fault ${fault} ends; ${effect}`,
  });
}

/** Moments of membership: which nodes the cluster state gains and loses. */
export function narrateMembership(add: AddCandidate): Narrator {
  const members = new Map<string, ReadonlySet<string>>();
  const seen = new Map<string, Set<string>>();
  return {
    state: (atMs, { cluster, nodes }) => {
      const before = members.get(cluster);
      const now = new Set(nodes);
      members.set(cluster, now);
      const known = seen.get(cluster) ?? new Set();
      seen.set(cluster, known);
      const gone = [...(before ?? [])].filter((node) => !now.has(node));
      const back = nodes.filter((node) => before?.has(node) === false && known.has(node));
      for (const node of nodes) known.add(node);
      const tell = (who: readonly string[], verb: string, weight: number): void => {
        for (const node of who)
          add({
            ...{ atMs, kind: "membership", weight, key: verb, part: node, nodes: [node] },
            says: (all, count) => `${all} ${count === 1 ? `${verb}s` : verb} the cluster`,
          });
      };
      tell(gone, "leave", 62);
      tell(back, "rejoin", 58);
      const isFirst = (before?.size ?? 0) < now.size && gone.length + back.length === 0;
      if (before !== undefined && isFirst)
        add({
          ...{ atMs, kind: "membership", weight: 24, key: `join ${cluster}`, nodes },
          says: () => `the cluster${cluster === "" ? "" : ` ${cluster}`} has ${listed(nodes)}`,
        });
    },
  };
}
