/** Settings that the role reads: the cluster's (transient, then persistent), else the node's, else the product's default. */
import {
  clusterSetting,
  metadataWithNodeSettings,
  type ClusterState,
  type Metadata,
  type SettingValue,
  type Settings,
} from "@orrery/cluster-state";
import { assert, lookup } from "@orrery/stdx";

/** Typed readers by key. Each call reads the current value; `number` and `duration` assert the type of the setting. */
export interface ManagerSettings {
  /** A time setting, in milliseconds. */
  duration(key: string): number;
  number(key: string): number;
  flag(key: string): boolean;
  text(key: string): string;
  list(key: string): readonly string[];
  /** Whether the setting has a value in the cluster state or in the node's settings, and not only a default. */
  isSet(key: string): boolean;
  /** Flat settings of the node. */
  readonly ofNode: Settings;
}

/** Settings over `current`, the applied state, whose dynamic settings take precedence. */
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
