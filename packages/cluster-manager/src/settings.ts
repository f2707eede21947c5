/** Settings the role reads: what the cluster state says, else what the node was given, else the product's default. */
import {
  clusterSetting,
  metadataWithNodeSettings,
  type ClusterState,
  type Metadata,
  type SettingValue,
  type Settings,
} from "@orrery/cluster-state";
import { assert, lookup } from "@orrery/stdx";

export interface ManagerSettings {
  /** Milliseconds. */
  duration(key: string): number;
  number(key: string): number;
  flag(key: string): boolean;
  text(key: string): string;
  list(key: string): readonly string[];
  /** Given to the node, or set in the cluster state. */
  isSet(key: string): boolean;
  /** What the node was given. */
  readonly ofNode: Settings;
}

/** `current` gives the state whose dynamic settings count: the applied one. */
export function createSettings(
  nodeSettings: Settings,
  current: () => ClusterState,
): ManagerSettings {
  const metadata = (): Metadata => metadataWithNodeSettings(current().metadata, nodeSettings);
  const read = (key: string): SettingValue => clusterSetting({ metadata: metadata() }, key);
  const number = (key: string): number => {
    const value = read(key);
    assert(typeof value === "number", `setting [${key}] is no number`);
    return value;
  };

  return {
    duration: number,
    number,
    flag: (key) => read(key) === true,
    text: (key) => String(read(key)),
    list: (key) => {
      const value = read(key);
      if (Array.isArray(value)) return value;
      return String(value) === "" ? [] : [String(value)];
    },
    isSet: (key) => {
      const { persistentSettings, transientSettings } = metadata();
      return (lookup(transientSettings, key) ?? lookup(persistentSettings, key)) !== undefined;
    },
    ofNode: nodeSettings,
  };
}
