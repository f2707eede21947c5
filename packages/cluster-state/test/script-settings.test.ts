/** Settings of scripts: which may run, how many are kept, and how many are compiled in a time. */
import { expect, test } from "vitest";
import { scriptSettingsOf } from "../src/index.ts";
import { initialState } from "../src/initial-state.ts";
import type { Settings } from "../src/types.ts";

function settingsWith(persistentSettings: Settings): ReturnType<typeof scriptSettingsOf> {
  const { metadata } = initialState("test");
  return scriptSettingsOf({ metadata: { ...metadata, persistentSettings } });
}

test("without settings every script may run, and each context has a cache and a rate of its own", () => {
  const { allowedTypes, allowedContexts, maxSizeBytes, cacheOf } = settingsWith({});
  expect([allowedTypes, allowedContexts, maxSizeBytes]).toEqual([undefined, undefined, 65_535]);
  expect(cacheOf("score")).toEqual({
    name: "score",
    maxScripts: 100,
    expiresAfterMs: 0,
    rate: {
      count: 75,
      windowMs: 300_000,
      text: "75/5m",
      setting: "script.context.score.max_compilations_rate",
    },
  });
});

test("[none] allows nothing, and names allow themselves", () => {
  const { allowedTypes, allowedContexts } = settingsWith({
    "script.allowed_types": "none",
    "script.allowed_contexts": "score, field",
  });
  expect(allowedTypes).toEqual([]);
  expect(allowedContexts).toEqual(["score", "field"]);
});

test("a rate for all contexts takes the place of theirs", () => {
  const { cacheOf } = settingsWith({
    "script.max_compilations_rate": "3/1m",
    "script.cache.max_size": "7",
    "script.context.score.max_compilations_rate": "unlimited",
  });
  const { name, maxScripts, rate } = cacheOf("score");
  expect([name, maxScripts]).toEqual([cacheOf("field").name, 7]);
  expect(rate).toEqual({
    count: 3,
    windowMs: 60_000,
    text: "3/1m",
    setting: "script.max_compilations_rate",
  });
});

test("the rate of a context may have no end", () => {
  const { cacheOf } = settingsWith({ "script.context.score.max_compilations_rate": "unlimited" });
  expect(cacheOf("score").rate).toBeUndefined();
  expect(cacheOf("filter").rate?.count).toBe(75);
  const disabled = settingsWith({ "script.disable_max_compilations_rate": "true" });
  expect(disabled.cacheOf("filter").rate).toBeUndefined();
});
