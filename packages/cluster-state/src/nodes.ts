/** Text, roles and versions of nodes, as in OpenSearch. */
import type { DiscoveryNode, NodeRole } from "./types.ts";

const ABBREVIATIONS: Readonly<Record<NodeRole, string>> = {
  cluster_manager: "m",
  data: "d",
  ingest: "i",
  remote_cluster_client: "r",
  search: "s",
  warm: "w",
};

/** The node in the product's words (`DiscoveryNode.toString`): `{name}{id}{ephemeral id}{host}{address}{dimr}{zone=z1, …}`. */
export function describeNode(node: DiscoveryNode): string {
  const roles = [...new Set(node.roles.map((role) => ABBREVIATIONS[role]))].toSorted().join("");
  const attributes = Object.entries(node.attributes).map(([key, value]) => `${key}=${value}`);
  const parts = [node.name, node.id, node.ephemeralId, node.hostName, node.transportAddress, roles];
  const shown = attributes.length === 0 ? "" : `{${attributes.join(", ")}}`;
  return `${parts.map((part) => `{${part}}`).join("")}${shown}`;
}

/** Whether the node holds shard copies: roles `data`, `warm` or `search`. */
export function isDataNode(node: DiscoveryNode): boolean {
  return (
    node.roles.includes("data") || node.roles.includes("warm") || node.roles.includes("search")
  );
}

/** Order of versions, number by number; negative when `a` is older. */
export function compareVersions(a: string, b: string): number {
  const left = a.split(/[.-]/).map(Number);
  const right = b.split(/[.-]/).map(Number);
  for (const [i, number] of left.entries()) {
    const difference = number - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
