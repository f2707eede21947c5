/** Metadata of an index as its copies use it. */
import { initialState, type IndexMetadata } from "@orrery/cluster-state";
import { coreLanguage } from "@orrery/query";
import { expect, test } from "vitest";
import { indexServiceOf } from "../src/index-service.ts";

const state = initialState("test");

function metadata(version: number, settings: IndexMetadata["settings"]): IndexMetadata {
  return { name: "a", mapping: {}, mappingVersion: 1, settingsVersion: version, settings } as never;
}

test("settings that make no analyzers are a problem of the index, and the mapping stays", () => {
  const before = indexServiceOf(coreLanguage, state, metadata(1, {}), undefined);
  const bad = { "index.analysis.analyzer.a.type": "nonsense" };

  const changed = indexServiceOf(coreLanguage, state, metadata(2, bad), before);

  expect(changed.problem?.reason).toBe("Unknown analyzer type [nonsense] for [a]");
  expect(changed.mapping).toBe(before.mapping);
  expect(indexServiceOf(coreLanguage, state, metadata(3, {}), changed).problem).toBeUndefined();
  expect(indexServiceOf(coreLanguage, state, metadata(1, bad), undefined).problem?.status).toBe(
    400,
  );
});

test("settings are read again for a new version of them only, not for each state decoded", () => {
  const before = indexServiceOf(coreLanguage, state, metadata(1, {}), undefined);
  const changed = { "index.translog.durability": "async" };

  const same = indexServiceOf(coreLanguage, state, metadata(1, {}), before);
  const mapped = indexServiceOf(
    coreLanguage,
    state,
    { ...metadata(1, {}), mappingVersion: 2 },
    before,
  );

  expect(same.settings).toBe(before.settings);
  expect(mapped.settings).toBe(before.settings);
  expect(
    indexServiceOf(coreLanguage, state, metadata(2, changed), before).settings.isSyncedPerRequest,
  ).toBe(false);
});

test("the cluster's refresh interval reaches the indices that chose none", () => {
  const transient = { "cluster.default.index.refresh_interval": "7s" };
  const slower = { ...state, metadata: { ...state.metadata, transientSettings: transient } };
  const chosen = metadata(1, { "index.refresh_interval": "2s" });
  const intervalOf = (index: IndexMetadata): number => {
    const before = indexServiceOf(coreLanguage, state, index, undefined);
    return indexServiceOf(coreLanguage, slower, { ...index }, before).settings.refreshIntervalMs;
  };

  expect(intervalOf(metadata(1, {}))).toBe(7000);
  expect(intervalOf(chosen)).toBe(2000);
});
