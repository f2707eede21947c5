/** The settings tables, their parsers, validation and forms. */
import { compareText, matchesGlob, problemOf } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  coreSettings,
  coreRules,
  applyTask,
  archiveInvalidSettings,
  clusterSetting,
  flattenSettings,
  indexSetting,
  indexSettingDefaults,
  nestSettings,
  nodeSettingProblem,
  nodeSettingsProblem,
  settingOf,
  validateIndexSettings,
  type Outcome,
  clusterSettingDefaults,
} from "../src/index.ts";
import { after, cluster, node } from "./fixture.ts";
import { parseList } from "../src/settings/parse-value.ts";

describe("the tables", () => {
  test("have defaults that their own parsers accept", () => {
    const refused = [
      ...coreSettings.index.byKey.values(),
      ...coreSettings.cluster.byKey.values(),
    ].filter((setting) => {
      try {
        const value = setting.default({});
        if (value !== "" && !setting.isPrefix) setting.parse(value);
        return false;
      } catch {
        return true;
      }
    });

    expect(refused.map(({ key }) => key)).toEqual([]);
  });

  test.each([
    ["index.routing.allocation.include._name", "index.routing.allocation.include."],
    ["index.analysis.analyzer.a.type", "index.analysis."],
    ["index.codec.compression_level", "index.codec.compression_level"],
  ])("know %s as %s", (key, family) => {
    expect(settingOf(coreSettings.index, key)?.key).toBe(family);
  });

  test("know remote clusters by one level, and nothing below a family's bare name", () => {
    expect(settingOf(coreSettings.cluster, "cluster.remote.one.seeds")?.kind).toBe("list");
    expect(settingOf(coreSettings.cluster, "cluster.remote.one.two.seeds")).toBeUndefined();
    expect(settingOf(coreSettings.cluster, "logger.")).toBeUndefined();
  });
});

test("defaults are told in the order of their keys", () => {
  const keys = Object.keys(clusterSettingDefaults(coreSettings, { "cluster.name": "x" }));

  expect(keys.length).toBeGreaterThan(100);
  expect(keys).toEqual(keys.toSorted(compareText));
  expect(keys).not.toContain("cluster.name");
});

describe("effective values", () => {
  test("are typed, with defaults", () => {
    const metadata = { settings: { "index.refresh_interval": "30s" } };

    expect(indexSetting(metadata, "index.refresh_interval")).toBe(30_000);
    expect(indexSetting(metadata, "index.number_of_shards")).toBe(1);
    expect(indexSetting(metadata, "index.translog.flush_threshold_size")).toBe(512 * 1024 * 1024);
    expect(indexSetting(metadata, "index.query.default_field")).toEqual(["*"]);
    expect(indexSetting(metadata, "index.merge.scheduler.max_force_merge_mb_per_sec")).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  test("of the cluster are transient before persistent before default, which may be another's", () => {
    const prefix = "cluster.routing.allocation";
    const state = after(cluster(node("n1")), {
      kind: "update-cluster-settings",
      persistent: { [`${prefix}.node_concurrent_recoveries`]: "7", [`${prefix}.enable`]: "none" },
      transient: { [`${prefix}.enable`]: "primaries" },
    });

    expect(clusterSetting(state, "cluster.routing.allocation.enable")).toBe("primaries");
    expect(
      clusterSetting(state, "cluster.routing.allocation.node_concurrent_incoming_recoveries"),
    ).toBe(7);
    expect(clusterSetting(state, "cluster.max_shards_per_node")).toBe(1000);
  });

  test("that are not set are listed as defaults", () => {
    const defaults = indexSettingDefaults(coreSettings, { "index.number_of_shards": "3" });

    expect(defaults["index.number_of_shards"]).toBeUndefined();
    expect(defaults["index.number_of_routing_shards"]).toBe("3");
    expect(defaults["index.refresh_interval"]).toBe("1s");
  });
});

describe("validation", () => {
  const reason = (settings: Record<string, string>) =>
    validateIndexSettings(coreSettings.index, settings, { isCreate: true })?.reason;

  test.each([
    [
      "index.foo",
      "1",
      "unknown setting [index.foo] please check that any required plugins are installed, or check the breaking changes documentation for removed settings",
    ],
    [
      "index.refresh_interval",
      "abc",
      "failed to parse setting [index.refresh_interval] with value [abc] as a time value: unit is missing or unrecognized",
    ],
    [
      "index.refresh_interval",
      "-5s",
      "failed to parse setting [index.refresh_interval] with value [-5s] as a time value: negative durations are not supported",
    ],
    [
      "index.refresh_interval",
      "1.5s",
      "failed to parse [1.5s], fractional time values are not supported",
    ],
    [
      "index.number_of_shards",
      "abc",
      "Failed to parse value [abc] for setting [index.number_of_shards]",
    ],
    [
      "index.number_of_shards",
      "1025",
      "Failed to parse value [1025] for setting [index.number_of_shards] must be <= 1024",
    ],
    [
      "index.blocks.write",
      "yes",
      "Failed to parse value [yes] as only [true] or [false] are allowed.",
    ],
    [
      "index.translog.sync_interval",
      "1ms",
      "failed to parse value [1ms] for setting [index.translog.sync_interval], must be >= [100ms]",
    ],
    [
      "index.codec",
      "x",
      "unknown value for [index.codec] must be one of [default, lz4, best_compression, zlib] but was: x",
    ],
    [
      "index.translog.durability",
      "x",
      "No enum constant org.opensearch.index.translog.Translog.Durability.X",
    ],
    [
      "index.auto_expand_replicas",
      "x",
      "failed to parse [index.auto_expand_replicas] from value: [x] at index -1",
    ],
    [
      "index.uuid",
      "x",
      "Validation Failed: 1: private index setting [index.uuid] can not be set explicitly;",
    ],
  ])("refuses %s: %s", (key, value, expected) => {
    expect(reason({ [key]: value })).toBe(expected);
  });

  test("reports the first problem by key and the others with it", () => {
    const problem = validateIndexSettings(
      coreSettings.index,
      { "index.foo": "1", "index.bar": "2" },
      { isCreate: true },
    );

    expect(problem?.reason).toBe("unknown setting [index.bar] did you mean [index.warm]?");
    expect(problem?.suppressed).toHaveLength(1);
  });

  test("of very many unknown names a hundred are told", () => {
    const names = Array.from({ length: 5000 }, (_, i) => [`index.x${i}`, "1"]);

    const problem = validateIndexSettings(coreSettings.index, Object.fromEntries(names), {
      isCreate: true,
    });

    expect(problem?.suppressed).toHaveLength(99);
  });
});

describe("forms", () => {
  test("nested settings become flat, and back", () => {
    const flat = flattenSettings(
      { number_of_shards: 2, index: { sort: { field: ["a", "b"] }, hidden: true }, x: null },
      "index.",
    );

    expect(flat).toEqual({
      "index.number_of_shards": "2",
      "index.sort.field": ["a", "b"],
      "index.hidden": "true",
      "index.x": null,
    });
    expect(nestSettings({ "a.b.c": "1", "a.b.d": ["2"], "a.e": "3" })).toEqual({
      a: { b: { c: "1", d: ["2"] }, e: "3" },
    });
  });

  test("null and lists of nothing keep their place", () => {
    expect(nestSettings(flattenSettings({ a: null, b: { c: [] } }))).toEqual({
      a: null,
      b: { c: [] },
    });
  });

  test.each([
    { x: [[1]] },
    { a: 1, x: { y: [null] } },
    { x: [1, { y: 2 }] },
    { x: [{ toString: null }] },
  ])("%j has a list of more than values", (source) => {
    let problem: unknown;

    try {
      flattenSettings(source);
    } catch (error) {
      problem = problemOf(error);
    }

    expect(problem).toMatchObject({
      type: "settings_exception",
      reason: `Failed to load settings from [${JSON.stringify(source)}]`,
      status: 400,
      causedBy: { reason: "only value lists are allowed in serialized settings" },
    });
  });

  test("objects in a list that is a text are texts, whatever their members are named", () => {
    expect(parseList('[{"toString":null},1]')).toEqual(["{toString=null}", "1"]);
  });

  test("a key that is another's beginning keeps its dots, in either order", () => {
    expect(nestSettings({ "a.b": "1", "a.b.c": "2" })).toEqual({ a: { b: "1", "b.c": "2" } });
    expect(nestSettings({ "a.b.c": "2", "a.b": "1" })).toEqual({ a: { b: "1", "b.c": "2" } });
  });

  test.each([
    ["a*", "abc", true],
    ["*c", "abc", true],
    ["a*c*e", "abcde", true],
    ["a*a", "a", false],
    ["abc", "abc", true],
    ["*", "", true],
    ["a*b*b", "ab", false],
  ])("the pattern %s matches %s: %s", (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });
});

describe("settings of an index that comes from elsewhere", () => {
  test("are put away when nobody knows them or can read them", () => {
    const settings = archiveInvalidSettings(coreSettings.index, {
      "index.refresh_interval": "abc",
      "index.foo": "1",
      "index.provided_name": "x",
      "index.uuid": "u",
      "index.codec": "best_compression",
      "archived.index.old": "2",
    });

    expect(settings).toEqual({
      "archived.index.refresh_interval": "abc",
      "archived.index.foo": "1",
      "index.provided_name": "x",
      "index.uuid": "u",
      "index.codec": "best_compression",
      "archived.index.old": "2",
    });
  });
});

describe("addresses in allocation filters", () => {
  const parse = (key: string, value: string): unknown =>
    settingOf(coreSettings.index, key)?.parse(value, key);

  test.each(["10.0.0.1", "10.0.*", "::1,fe80::2", ""])("take %o", (value) => {
    expect(parse("index.routing.allocation.include._ip", value)).toBe(value);
  });

  test("are refused when they are none, and only there", () => {
    expect(() => parse("index.routing.allocation.exclude._ip", "10.0.0.0/8")).toThrow(
      "invalid IP address [10.0.0.0/8] for [index.routing.allocation.exclude._ip]",
    );
    expect(parse("index.routing.allocation.exclude._name", "10.0.0.0/8")).toBe("10.0.0.0/8");
  });
});

test("names of remote clusters are words", () => {
  const isKnown = (alias: string): boolean =>
    settingOf(coreSettings.cluster, `cluster.remote.${alias}.seeds`) !== undefined;

  expect(["a", "a-1_B", "a b", "a,b", "a.b"].map(isKnown)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

describe("the settings that a node starts with", () => {
  const reasonOf = (settings: Record<string, string | readonly string[]>): unknown =>
    nodeSettingsProblem(coreSettings, settings)?.reason;

  test.each([
    ["path.repo", "/repositories"],
    ["node.attr.zone", "a"],
    ["discovery.seed_hosts", ["127.0.0.1:9300"]],
    ["cluster.initial_cluster_manager_nodes", ["node-1"]],
    ["http.port", "9200"],
    ["network.host", "0.0.0.0"],
    ["bootstrap.memory_lock", "true"],
    ["cluster.routing.allocation.awareness.force.zone.values", "a,b,c"],
    ["cluster.remote.lead.seeds", "127.0.0.1:9300"],
    ["thread_pool.write.queue_size", "100"],
    ["thread_pool.snapshot.keep_alive", "1m"],
    ["transport.netty.worker_count", "2"],
    ["reindex.remote.allowlist", ["a:9200"]],
    ["opensearch.experimental.feature.telemetry.enabled", "true"],
    ["index.store.type", "mmapfs"],
    ["orrery.strict", "true"],
  ])("may be %s, as in the product", (key, value) => {
    expect(reasonOf({ [key]: value })).toBeUndefined();
  });

  test("are refused when nobody knows them, with those that were meant", () => {
    expect(reasonOf({ "cluster.nme": "x" })).toBe(
      "unknown setting [cluster.nme] did you mean [cluster.name]?",
    );
    expect(reasonOf({ "thread_pool.search.keep_alive": "1m" })).toContain(
      "did you mean any of [thread_pool.refresh.keep_alive, thread_pool.merge.keep_alive, thread_pool.snapshot.keep_alive, thread_pool.generic.keep_alive,",
    );
    expect(reasonOf({ "thread_pool.nosuch.size": "4" })).toMatch(
      /^unknown setting \[thread_pool\.nosuch\.size\]/,
    );
  });

  test("are refused in the order of their keys, all of them", () => {
    const problem = nodeSettingsProblem(coreSettings, {
      zzz: "1",
      "orrery.strict": "yes",
      "cluster.nosuch": "2",
    });

    expect([problem, ...(problem?.suppressed ?? [])].map((one) => one?.reason)).toEqual([
      "unknown setting [cluster.nosuch] please check that any required plugins are installed, or check the breaking changes documentation for removed settings",
      "Failed to parse value [yes] as only [true] or [false] are allowed.",
      "unknown setting [zzz] please check that any required plugins are installed, or check the breaking changes documentation for removed settings",
    ]);
  });

  test.each([
    [
      { "cluster.remote.x.skip_unavailable": "true" },
      "Cannot configure setting [cluster.remote.x.skip_unavailable] if remote cluster is not enabled.",
    ],
    [
      { "search.default_keep_alive": "2d" },
      "Default keep alive setting for request [search.default_keep_alive] should be smaller than max keep alive [search.max_keep_alive], was (2d > 1d)",
    ],
    [
      { "cluster.routing.allocation.disk.watermark.low": "99%" },
      "low disk watermark [99%] more than high disk watermark [90%]",
    ],
  ])("are refused when they say together what cannot be: %j", (settings, reason) => {
    expect(reasonOf(settings)).toBe(reason);
  });

  test("go together with others that are not there yet, one by one", () => {
    const key = "cluster.remote.x.skip_unavailable";

    expect(nodeSettingProblem(coreSettings, key, { [key]: "true" })).toBeUndefined();
    expect(nodeSettingProblem(coreSettings, key, { [key]: "maybe" })).toBeDefined();
  });

  test("are none of an index, which does not hide what else is wrong", () => {
    const problem = nodeSettingsProblem(coreSettings, {
      "index.number_of_shards": "3",
      "cluster.nosuch": "1",
      "orrery.strict": "yes",
    });

    expect([problem, ...(problem?.suppressed ?? [])].map((one) => one?.reason)).toEqual([
      expect.stringMatching(
        /^found index level settings on node level configuration.* \[index\.number_of_shards\]$/,
      ),
      expect.stringMatching(/^unknown setting \[cluster\.nosuch\]/),
      "Failed to parse value [yes] as only [true] or [false] are allowed.",
    ]);
  });

  test("give a pool of writes at most a thread more than there are processors", () => {
    const sized = (size: string, processors?: string): unknown =>
      nodeSettingsProblem(
        coreSettings,
        {
          "thread_pool.write.size": size,
          ...(processors !== undefined && { "node.processors": processors }),
        },
        2,
      )?.reason;

    expect([sized("3"), sized("4"), sized("8", "7"), sized("9", "7")]).toEqual([
      undefined,
      "Failed to parse value [4] for setting [thread_pool.write.size] must be <= 3",
      undefined,
      "Failed to parse value [9] for setting [thread_pool.write.size] must be <= 8",
    ]);
    expect(reasonOf({ "thread_pool.write.size": "100" })).toBeUndefined();
    expect(nodeSettingsProblem(coreSettings, { "thread_pool.get.size": "100" }, 2)).toBeUndefined();
  });
});

describe("addresses of remote clusters", () => {
  const parse = (name: string, value: string | readonly string[]): unknown =>
    settingOf(coreSettings.cluster, `cluster.remote.one.${name}`)?.parse(
      value,
      `cluster.remote.one.${name}`,
    );

  test.each(["0", "-1", "00"])("have no port %s", (port) => {
    expect(() => parse("proxy_address", `host:${port}`)).toThrow(
      "port number must be > 0 but was:",
    );
    expect(() => parse("seeds", ["host:1", `host:${port}`])).toThrow("port number must be > 0");
  });

  test("have a number for a port", () => {
    expect(() => parse("proxy_address", "host:x")).toThrow("failed to parse port");
  });
});

describe("settings of a remote cluster", () => {
  const set = (settings: Readonly<Record<string, string>>): Outcome =>
    applyTask(
      cluster(node("a")),
      {
        kind: "update-cluster-settings",
        transient: {},
        persistent: Object.fromEntries(
          Object.entries(settings).map(([name, value]) => [`cluster.remote.one.${name}`, value]),
        ),
      },
      coreRules,
    );

  test("name a proxy of seeds only beside the seeds", () => {
    expect(set({ proxy: "host:1" })).toMatchObject({
      kind: "rejected",
      error: {
        type: "settings_exception",
        reason:
          "missing required setting [cluster.remote.one.seeds] for setting [cluster.remote.one.proxy]",
      },
    });
    expect(set({ proxy: "host:1", seeds: "host:2" }).kind).toBe("updated");
  });

  test("tell of all that does not fit the mode", () => {
    const outcome = set({ mode: "proxy", seeds: "host:1", node_connections: "2" });

    expect(outcome).toMatchObject({
      error: {
        reason:
          'Setting "cluster.remote.one.node_connections" cannot be used with the configured "cluster.remote.one.mode" [required=SNIFF, configured=PROXY]',
        suppressed: [
          {
            reason:
              'Setting "cluster.remote.one.seeds" cannot be used with the configured "cluster.remote.one.mode" [required=SNIFF, configured=PROXY]',
          },
        ],
      },
    });
  });
});
