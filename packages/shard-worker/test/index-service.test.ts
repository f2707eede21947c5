/** Metadata of an index as its copies use it. */
import { initialState, type IndexMetadata } from "@orrery/cluster-state";
import { expect, test } from "vitest";
import { indexServiceOf } from "../src/index-service.ts";

const state = initialState("test");

function metadata(version: number, settings: IndexMetadata["settings"]): IndexMetadata {
  return { name: "a", mapping: {}, mappingVersion: 1, settingsVersion: version, settings } as never;
}

test("settings that make no analyzers are a problem of the index, and the mapping stays", () => {
  const before = indexServiceOf(state, metadata(1, {}), undefined);
  const bad = { "index.analysis.analyzer.a.type": "nonsense" };

  const changed = indexServiceOf(state, metadata(2, bad), before);

  expect(changed.problem?.reason).toBe("Unknown analyzer type [nonsense] for [a]");
  expect(changed.mapping).toBe(before.mapping);
  expect(indexServiceOf(state, metadata(3, {}), changed).problem).toBeUndefined();
  expect(indexServiceOf(state, metadata(1, bad), undefined).problem?.status).toBe(400);
});
