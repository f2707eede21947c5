/** Settings the role reads: what the cluster state says, else what the node was given, else the product's default. */
import {
  clusterSetting,
  type ClusterState,
  type SettingValue,
  type Settings,
} from "@orrery/cluster-state";
import { assert } from "@orrery/stdx";

export interface ManagerSettings {
  /** Milliseconds. */
  duration(key: string): number;
  number(key: string): number;
  flag(key: string): boolean;
  text(key: string): string;
  list(key: string): readonly string[];
  /** Given to the node, or set in the cluster state. */
  isSet(key: string): boolean;
}

/** `current` gives the state whose dynamic settings count: the applied one. */
export function createSettings(
  nodeSettings: Settings,
  current: () => ClusterState,
): ManagerSettings {
  let seen: ClusterState | undefined;
  let merged: ClusterState | undefined;

  const state = (): ClusterState => {
    const now = current();
    if (merged !== undefined && seen?.metadata === now.metadata) return merged;
    seen = now;
    const persistentSettings = { ...nodeSettings, ...now.metadata.persistentSettings };
    merged = { ...now, metadata: { ...now.metadata, persistentSettings } };
    return merged;
  };
  const read = (key: string): SettingValue => clusterSetting(state(), key);
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
      const { persistentSettings, transientSettings } = state().metadata;
      return (transientSettings[key] ?? persistentSettings[key]) !== undefined;
    },
  };
}
