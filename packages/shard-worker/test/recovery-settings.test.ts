/** Settings of the cluster that a recovery obeys. */
import { initialState } from "@orrery/cluster-state";
import { expect, test } from "vitest";
import { recoverySettings } from "../src/recovery/settings.ts";

test("files are sent in pieces of indices.recovery.chunk_size", () => {
  const state = initialState("test");
  const persistentSettings = { "indices.recovery.chunk_size": "64kb" };
  const changed = { ...state, metadata: { ...state.metadata, persistentSettings } };

  const pieces = [undefined, state, changed].map((each) => recoverySettings(each).chunkBytes);

  expect(pieces).toEqual([524_272, 524_272, 65_536]);
});
