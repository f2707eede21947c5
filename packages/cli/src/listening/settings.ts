/**
 * Settings of the addresses on which a node listens, and of those under which it is published: of two settings, the more
 * specific one applies (`HttpTransportSettings`, `TransportSettings`, `NetworkService`).
 */
import type { NodeConfig } from "@orrery/node";
import { lookup } from "@orrery/stdx";

type Settings = NodeConfig["settings"];

/** A layer of a node that listens: for clients, and for other nodes. */
export type ListeningLayer = "http" | "transport";

export interface ListenSettings {
  /** Hosts to listen on: names, addresses, and special values such as `_local_`. */
  readonly bindHosts: readonly string[];
  /** Hosts to choose the published address from. */
  readonly publishHosts: readonly string[];
  /** A port, or ranges of ports; `undefined`: not set. */
  readonly port: string | undefined;
  readonly publishPort: number | undefined;
}

export function listenSettingsOf(settings: Settings, layer: ListeningLayer): ListenSettings {
  const hosts = (kind: "bind" | "publish"): readonly string[] => {
    const keys = [`${layer}.${kind}_host`, `${layer}.host`, `network.${kind}_host`, "network.host"];
    const given = keys.map((key) => listOf(settings, key));
    return given.find((one) => one.length > 0) ?? ["_local_"];
  };
  const publishPort = Number(lookup(settings, `${layer}.publish_port`) ?? -1);
  return {
    bindHosts: hosts("bind"),
    publishHosts: hosts("publish"),
    port: portOf(settings, layer),
    publishPort: publishPort < 0 ? undefined : publishPort,
  };
}

function portOf(settings: Settings, layer: ListeningLayer): string | undefined {
  const keys = layer === "http" ? ["http.port"] : ["transport.port", "transport.tcp.port"];
  const given = keys.map((key) => listOf(settings, key).join(","));
  return given.find((one) => one !== "");
}

function listOf(settings: Settings, key: string): readonly string[] {
  const value = lookup(settings, key) ?? [];
  const parts = typeof value === "string" ? value.split(",") : value;
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
