/**
 * Cause of a finding: the chain of events that leads to it, from the operation or copy that it concerns, over the faults
 * that disruptions, to the time at which it was found. Each link is a sentence with its time.
 */
import { listed, secondsOf, shardName } from "../story/words.ts";
import type { Finding, Subject } from "../types.ts";
import type { Evidence, Holder, LastingFault, Outage } from "./evidence.ts";

export type LinkKind = "write" | "fault" | "recovery" | "loss";

export interface Link {
  readonly kind: LinkKind;
  readonly atMs: number;
  readonly says: string;
  readonly nodes: readonly string[];
}

export interface Cause {
  /** Links in the order of time. */
  readonly links: readonly Link[];
  /** Nodes, and shards in the form `index/number`, that the finding concerns. */
  readonly nodes: readonly string[];
  readonly shards: readonly string[];
  readonly documents: readonly string[];
}

/** Outages and faults that a chain names; more of them would hide the rest. */
const MOST_FAULTS = 4;

/** Cause of a finding; `undefined` if it names nothing that it concerns. */
export function causeOf(finding: Finding, evidence: Evidence): Cause | undefined {
  const subjects = finding.subjects ?? [];
  const [first] = subjects;
  if (first === undefined) return undefined;
  const shards = unique(
    subjects.flatMap(({ index, shard }) =>
      index === undefined || shard === undefined ? [] : `${index}/${shard}`,
    ),
  );
  const isWrite = first.answeredMs !== undefined && first.document !== undefined;
  const sinceMs = first.sentMs ?? 0;
  // A chain follows the first subject; the shards of the others are listed only.
  const [shard] = shards;
  const holders =
    shard === undefined ? [] : evidence.holdersAt(shard, first.answeredMs ?? finding.atMs);
  const named = subjects.flatMap(({ node }) => node ?? []);
  // The node that a client asked need not hold a copy.
  const nodes = unique([...holders.map(({ node }) => node), ...(isWrite ? [] : named)]);
  const all = disruptionsOf(evidence, { nodes, sinceMs, untilMs: finding.atMs });
  const disruptions =
    isWrite && shard !== undefined ? decisive(all, { evidence, sentMs: sinceMs, shard }) : all;
  const links = [
    ...(isWrite ? [writeLink(first, holders)] : []),
    ...disruptions.flatMap((disruption) =>
      linksOf(
        disruption,
        isWrite && shard !== undefined ? { evidence, sentMs: sinceMs, shard } : undefined,
      ),
    ),
    ...promotions(evidence, shards.slice(0, 1), disruptions, finding.atMs),
    lossLink(finding, first, { isWrite, disruptions }),
  ];
  return {
    links: links.toSorted((a, b) => a.atMs - b.atMs),
    nodes,
    shards,
    documents: unique(subjects.flatMap(({ document }) => document ?? [])),
  };
}

function unique(all: readonly string[]): readonly string[] {
  return [...new Set(all)];
}

function writeLink(subject: Subject, holders: readonly Holder[]): Link {
  const { document, index = "", shard, node = "", operation = "write" } = subject;
  const { answeredMs = 0, sentMs = 0, seqNo } = subject;
  const place = shard === undefined ? index : shardName(index, shard);
  const primary = holders.find(({ isPrimary }) => isPrimary)?.node;
  const replicas = holders.filter(({ isPrimary }) => !isPrimary).map((one) => one.node);
  const copies = [
    ...(primary === undefined ? [] : [`the primary on ${primary}`]),
    ...(replicas.length === 0 ? [] : [`replicas on ${listed(replicas)}`]),
  ];
  const what = operation === "delete" ? "the deletion of document" : "document";
  const number = seqNo === undefined ? "" : `, sequence number ${seqNo}`;
  const held = copies.length === 0 ? "" : `; ${place} had ${copies.join(" and ")}`;
  return {
    ...{
      kind: "write",
      atMs: answeredMs,
      nodes: unique([node, ...holders.map((one) => one.node)]),
    },
    says: `${what} ${document} of ${place} was acknowledged by ${node} at ${secondsOf(answeredMs)} (sent at ${secondsOf(sentMs)}${number})${held}`,
  };
}

/** Nodes that went down at the same time, or a fault that lasted. */
type Disruption =
  | {
      readonly kind: "outage";
      readonly outages: readonly Outage[];
      readonly fault: LastingFault | undefined;
    }
  | { readonly kind: "fault"; readonly fault: LastingFault };

/** Latest time between the end of a node and the record of the fault that caused it. */
const INJECTION_MS = 500;

interface Scope {
  readonly nodes: readonly string[];
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Faults that hit the nodes between two times, in the order of time; without nodes, all faults. */
function disruptionsOf(
  { outages, faults }: Evidence,
  { nodes, sinceMs, untilMs }: Scope,
): readonly Disruption[] {
  const touches = (names: readonly string[]): boolean =>
    nodes.length === 0 || names.some((name) => nodes.includes(name));
  const isWithin = ({ fromMs, toMs = untilMs }: LastingFault | Outage): boolean =>
    fromMs <= untilMs && toMs >= sinceMs;
  const faultOf = ({ node, fromMs: downMs }: Outage): LastingFault | undefined =>
    faults.find(
      ({ fromMs, description }) =>
        fromMs >= downMs && fromMs - downMs <= INJECTION_MS && namesIn(description).includes(node),
    );
  const explained = new Set<LastingFault>();
  const groups = new Map<string, { outages: Outage[]; fault: LastingFault | undefined }>();
  for (const outage of outages) {
    if (!touches([outage.node]) || !isWithin(outage)) continue;
    const fault = faultOf(outage);
    if (fault !== undefined) explained.add(fault);
    const key = `${outage.fromMs} ${outage.how} ${fault?.kind}`;
    const group = groups.get(key) ?? { outages: [], fault };
    groups.set(key, group);
    group.outages.push(outage);
  }
  const disruptions: Disruption[] = [...groups.values()].map((group) => ({
    kind: "outage",
    ...group,
  }));
  for (const fault of faults) {
    if (explained.has(fault) || !isWithin(fault)) continue;
    const names = namesIn(fault.description);
    if (names.length === 0 || touches(names)) disruptions.push({ kind: "fault", fault });
  }
  return disruptions.toSorted((a, b) => startOf(a) - startOf(b)).slice(0, MOST_FAULTS);
}

function startOf(disruption: Disruption): number {
  return (
    (disruption.kind === "outage" ? disruption.outages[0]?.fromMs : disruption.fault.fromMs) ?? 0
  );
}

function namesIn(description: string): readonly string[] {
  return description.match(/[\w-]+-\d+\b/g) ?? [];
}

interface Write {
  readonly evidence: Evidence;
  readonly sentMs: number;
  readonly shard: string;
}

/** Nodes of an outage whose translog had not been synced since the write. */
function unsynced(
  { outages }: Disruption & { readonly kind: "outage" },
  write: Write,
): readonly Outage[] {
  const { evidence, sentMs, shard } = write;
  if (!evidence.hasSyncs) return [];
  return outages.filter(
    ({ node, fromMs }) => (evidence.lastSync(node, shard, fromMs) ?? -1) < sentMs,
  );
}

/** The first outage that took an unsynced write explains its loss alone; else every disruption may. */
function decisive(disruptions: readonly Disruption[], write: Write): readonly Disruption[] {
  const found = disruptions.find((one) => one.kind === "outage" && unsynced(one, write).length > 0);
  return found === undefined ? disruptions : [found];
}

function linksOf(disruption: Disruption, write: Write | undefined): readonly Link[] {
  if (disruption.kind === "fault") {
    const { kind, description, fromMs, toMs } = disruption.fault;
    const until = toMs === undefined ? "and did not end" : `until ${secondsOf(toMs)}`;
    return [
      {
        ...{ kind: "fault", atMs: fromMs, nodes: namesIn(description) },
        says: `the fault ${kind} (${description}) lasted from ${secondsOf(fromMs)} ${until}`,
      },
    ];
  }
  const { outages, fault } = disruption;
  const nodes = outages.map(({ node }) => node);
  const { fromMs = 0, how = "crashed" } = outages[0] ?? {};
  const [singular, plural] = endingOf(fault, how);
  const verb = nodes.length === 1 ? singular : plural;
  const synced = write === undefined ? "" : syncWords(disruption, write);
  const down: Link = {
    ...{ kind: "fault", atMs: fromMs, nodes },
    says: `${listed(nodes)} ${verb} at ${secondsOf(fromMs)}${synced}`,
  };
  const starts = new Map<number, string[]>();
  for (const { node, toMs } of outages)
    if (toMs !== undefined) starts.set(toMs, [...(starts.get(toMs) ?? []), node]);
  return [
    down,
    ...[...starts].map(([atMs, again]): Link => ({
      ...{ kind: "recovery", atMs, nodes: again },
      says: `${listed(again)} started again at ${secondsOf(atMs)}`,
    })),
  ];
}

/** How nodes went down, for one and for several. */
function endingOf(fault: LastingFault | undefined, how: Outage["how"]): readonly [string, string] {
  if (fault === undefined) return [how, how];
  const by = ` (fault ${fault.kind})`;
  if (fault.kind === "kill") return [`was killed${by}`, `were killed${by}`];
  if (fault.kind === "stop") return [`stopped${by}`, `stopped${by}`];
  return [`lost power${by}`, `lost power${by}`];
}

/** Sentence on whether the translogs of the nodes had the write when the nodes went down. */
function syncWords(disruption: Disruption & { readonly kind: "outage" }, write: Write): string {
  const { evidence, shard } = write;
  if (!evidence.hasSyncs) return "";
  const lost = unsynced(disruption, write);
  if (lost.length === 0) return "; the translog had been synced after the write was sent";
  const times = lost.map(({ node, fromMs }) => evidence.lastSync(node, shard, fromMs));
  const known = unique(times.flatMap((atMs) => (atMs === undefined ? [] : secondsOf(atMs))));
  const whose = disruption.outages.length === 1 ? "its translog was" : "their translogs were";
  const some =
    lost.length === disruption.outages.length
      ? whose
      : `the translog of ${listed(lost.map(({ node }) => node))} was`;
  return known.length === 0
    ? ` before ${some} ever synced`
    : ` before ${some} synced: the last ${known.length === 1 ? "sync was" : "syncs were"} at ${listed(known)}, before the write`;
}

/** Changes of the primary after the first disruption. */
function promotions(
  evidence: Evidence,
  shards: readonly string[],
  disruptions: readonly Disruption[],
  untilMs: number,
): readonly Link[] {
  const [first] = disruptions;
  if (first === undefined) return [];
  const sinceMs = startOf(first);
  return evidence.promotions
    .filter(({ shard, atMs }) => shards.includes(shard) && atMs >= sinceMs && atMs <= untilMs)
    .slice(0, MOST_FAULTS)
    .map(({ shard, node, atMs }) => {
      const at = shard.lastIndexOf("/");
      const name = shardName(shard.slice(0, at), Number(shard.slice(at + 1)));
      return {
        ...{ kind: "recovery", atMs, nodes: [node] },
        says: `${node} became the primary of ${name} at ${secondsOf(atMs)}`,
      } as const;
    });
}

function lossLink(
  { atMs, checker = "the run", says }: Finding,
  { document, node }: Subject,
  about: {
    readonly isWrite: boolean;
    readonly disruptions: readonly Disruption[];
  },
): Link {
  const { isWrite, disruptions } = about;
  const nodes = node === undefined ? [] : [node];
  if (!isWrite) {
    const [first = ""] = says.split("\n");
    return { kind: "loss", atMs, nodes, says: `${checker} found at ${secondsOf(atMs)}: ${first}` };
  }
  const starts = disruptions.flatMap((one) =>
    one.kind === "outage" ? one.outages.flatMap(({ toMs }) => toMs ?? []) : [],
  );
  const last = starts.at(-1);
  const after = last === undefined ? "" : `after the restart at ${secondsOf(last)} `;
  return {
    ...{ kind: "loss", atMs, nodes },
    says: `${after}no copy has ${document} as it was acknowledged, read at ${secondsOf(atMs)}`,
  };
}
