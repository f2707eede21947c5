/** Templates: which a new index gets, how they are put together, what is refused and in which words. */
import { describe, expect, test } from "vitest";
import {
  coreRules,
  applyTask,
  componentTemplatesOf,
  composeIndex,
  indexTemplatesOf,
  legacyTemplatesOf,
  type ClusterState,
  type IndexRequest,
  type IndexTemplate,
  type LegacyTemplate,
  type Task,
} from "../src/index.ts";
import { after, cluster, node, reasonOf } from "./fixture.ts";

const empty = cluster(node("n1"));

function withIndexTemplate(
  state: ClusterState,
  name: string,
  template: IndexTemplate,
): ClusterState {
  return after(state, { kind: "put-index-template", name, create: false, template });
}

function withLegacy(
  state: ClusterState,
  name: string,
  template: Partial<LegacyTemplate>,
): ClusterState {
  const whole = { order: 0, index_patterns: [], settings: {}, mappings: {}, aliases: {} };
  return after(state, {
    kind: "put-legacy-template",
    name,
    create: false,
    template: { ...whole, ...template },
  });
}

function composed(state: ClusterState, request: Partial<IndexRequest> & { readonly name: string }) {
  const composition = composeIndex(state, { settings: {}, mapping: {}, aliases: {}, ...request });
  if (composition.kind === "rejected") throw new Error(String(composition.error.reason));
  return composition.index;
}

describe("an index template", () => {
  test("with the highest priority is the only one an index gets", () => {
    let state = withIndexTemplate(empty, "low", {
      index_patterns: ["a*"],
      priority: 1,
      template: { settings: { "index.number_of_shards": "2" } },
    });
    state = withIndexTemplate(state, "high", {
      index_patterns: ["ab*"],
      priority: 2,
      template: { settings: { "index.refresh_interval": "3s" } },
    });

    expect(composed(state, { name: "abc" }).settings).toEqual({ "index.refresh_interval": "3s" });
    expect(composed(state, { name: "axe" }).settings).toEqual({ "index.number_of_shards": "2" });
    expect(composed(state, { name: "b" }).settings).toEqual({});
  });

  test("is over its components, the later of which are over the earlier, and under the request", () => {
    let state = after(empty, {
      kind: "put-component-template",
      name: "c1",
      create: true,
      template: {
        template: {
          settings: { "index.number_of_shards": "2", "index.refresh_interval": "1s" },
          mappings: { properties: { a: { type: "text" } } },
          aliases: { x: { indexRouting: "1" } },
        },
      },
    });
    state = after(state, {
      kind: "put-component-template",
      name: "c2",
      create: true,
      template: {
        template: { settings: { "index.refresh_interval": "2s" }, aliases: { x: {}, y: {} } },
      },
    });
    state = withIndexTemplate(state, "t", {
      index_patterns: ["*"],
      composed_of: ["c1", "c2"],
      template: { settings: { "index.number_of_replicas": "0" }, aliases: { "{index}-all": {} } },
    });

    const index = composed(state, {
      name: "logs",
      settings: { "index.number_of_shards": null },
      mapping: { dynamic: false },
    });

    expect(index.settings).toEqual({
      "index.number_of_shards": null,
      "index.refresh_interval": "2s",
      "index.number_of_replicas": "0",
    });
    expect(index.mappings).toEqual([{ properties: { a: { type: "text" } } }, { dynamic: false }]);
    expect(index.aliases).toEqual({ "logs-all": {}, x: {}, y: {} });
  });

  test("needs its components, and keeps them from being removed", () => {
    const template = { index_patterns: ["a*"], composed_of: ["c"] };
    const put = { kind: "put-index-template", name: "t", create: false, template } as const;
    expect(reasonOf(applyTask(empty, put, coreRules))).toBe(
      "index_template [t] invalid, cause [index template [t] specifies component templates [c] that do not exist]",
    );

    const component = { kind: "put-component-template", name: "c", create: false } as const;
    const state = after(after(empty, { ...component, template: { template: {} } }), put);

    const removal = { kind: "delete-templates", of: "component", pattern: "*" } as const;
    expect(reasonOf(applyTask(state, removal, coreRules))).toBe(
      "component templates [c] cannot be removed as they are still in use by index templates [t]",
    );
    const freed = after(state, { kind: "delete-templates", of: "index", pattern: "t" });
    expect(applyTask(freed, removal, coreRules).kind).toBe("updated");
  });
});

describe("put-index-template", () => {
  test("is refused for a pattern that overlaps with a template of the same priority", () => {
    const state = withIndexTemplate(empty, "t1", { index_patterns: ["lo*"], priority: 10 });
    const second = (priority: number) =>
      applyTask(
        state,
        {
          kind: "put-index-template",
          name: "t2",
          create: false,
          template: { index_patterns: ["log*"], priority },
        },
        coreRules,
      );

    expect(reasonOf(second(10))).toBe(
      "index template [t2] has index patterns [log*] matching patterns from existing templates [t1] with patterns (t1 => [lo*]) that have the same priority [10], multiple index templates may not match during index creation, please use a different priority",
    );
    expect(second(11).kind).toBe("updated");
  });

  test("is without effect for an equal template, whose `composed_of` is an empty list by default", () => {
    const template: IndexTemplate = { index_patterns: ["a*"], template: { settings: {} } };
    const state = withIndexTemplate(empty, "t", template);

    const again = applyTask(
      state,
      {
        kind: "put-index-template",
        name: "t",
        create: false,
        template,
      },
      coreRules,
    );

    expect(again.kind).toBe("unchanged");
    expect(indexTemplatesOf(state).get("t")?.composed_of).toEqual([]);
  });

  test("names all that is wrong with a template: name, patterns, settings", () => {
    const outcome = applyTask(
      empty,
      {
        kind: "put-index-template",
        name: "BAD,name",
        create: false,
        template: {
          index_patterns: ["_a"],
          template: { settings: { "index.number_of_shards": "x", "index.uuid": "u" } },
        },
      },
      coreRules,
    );

    expect(reasonOf(outcome)).toBe(
      "index_template [BAD,name] invalid, cause [Validation Failed: 1: name must not contain a ',';2: name must be lower cased;3: index_pattern [_a] must not start with '_';4: Failed to parse value [x] for setting [index.number_of_shards];5: private index setting [index.uuid] can not be set explicitly;]",
    );
  });
});

describe("templates of the older kind", () => {
  test("are merged by their order, lists and objects of mappings too", () => {
    let state = withLegacy(empty, "one", {
      order: 1,
      index_patterns: ["le*"],
      settings: { "index.number_of_replicas": "0", "index.refresh_interval": "5s" },
      mappings: {
        properties: { a: { type: "keyword" } },
        dynamic_templates: [{ t1: { match: "a*" } }],
      },
      aliases: { x: { indexRouting: "1" } },
    });
    state = withLegacy(state, "two", {
      order: 2,
      index_patterns: ["leg*"],
      settings: { "index.refresh_interval": "7s" },
      mappings: { dynamic_templates: [{ t1: { match: "b*" } }, { t2: { match: "c*" } }] },
      aliases: { x: {} },
    });

    const index = composed(state, {
      name: "legacy",
      mapping: { properties: { b: { type: "ip" } } },
    });

    expect(index.settings).toEqual({
      "index.number_of_replicas": "0",
      "index.refresh_interval": "7s",
    });
    expect(index.mappings).toEqual([
      {
        properties: { a: { type: "keyword" }, b: { type: "ip" } },
        dynamic_templates: [{ t1: { match: "b*" } }, { t2: { match: "c*" } }],
      },
    ]);
    expect(index.aliases).toEqual({ x: {} });
    expect(index.warnings).toEqual([
      "index [legacy] matches multiple legacy templates [one, two], composable templates will only match a single template",
    ]);
  });

  test("give way to any composable template that matches", () => {
    let state = withLegacy(empty, "old", {
      index_patterns: ["*"],
      settings: { "index.number_of_shards": "5" },
    });
    state = withIndexTemplate(state, "new", { index_patterns: ["a*"] });

    expect(composed(state, { name: "a" }).settings).toEqual({});
    expect(composed(state, { name: "b" }).settings).toEqual({ "index.number_of_shards": "5" });
  });

  test("of all names are not for hidden indices", () => {
    const state = withLegacy(empty, "all", {
      index_patterns: ["*"],
      settings: { "index.number_of_shards": "5" },
    });

    const hidden = composed(state, { name: ".a", settings: { "index.hidden": "true" } });

    expect(hidden.settings).toEqual({ "index.hidden": "true" });
  });
});

describe("put-component-template", () => {
  const put = (name: string, settings: Record<string, string>, create = false): Task => ({
    kind: "put-component-template",
    name,
    create,
    template: { template: { settings } },
  });

  test("adds a template, and replaces that of its name", () => {
    const first = after(empty, put("c", { "index.number_of_shards": "2" }));
    const second = after(first, put("c", { "index.number_of_shards": "3" }));

    expect(componentTemplatesOf(second).get("c")?.template.settings).toEqual({
      "index.number_of_shards": "3",
    });
    expect(applyTask(second, put("c", { "index.number_of_shards": "3" }), coreRules)).toEqual({
      kind: "unchanged",
    });
  });

  test("is refused for a template that exists when it must be new", () => {
    const state = after(empty, put("c", {}));

    expect(reasonOf(applyTask(state, put("c", {}, true), coreRules))).toBe(
      "component template [c] already exists",
    );
  });

  test("is refused where an index template of all names would hide its indices by it", () => {
    const template = { index_patterns: ["*"], composed_of: ["c"] };
    const state = withIndexTemplate(after(empty, put("c", {})), "all", template);

    expect(reasonOf(applyTask(state, put("c", { "index.hidden": "true" }), coreRules))).toBe(
      "cannot update component template [c] because the following global templates would resolve to specifying the [index.hidden] setting: [all]",
    );
  });

  test("is refused for a setting that does not exist", () => {
    expect(reasonOf(applyTask(empty, put("c", { "index.number_of_shardz": "2" }), coreRules))).toBe(
      "unknown setting [index.number_of_shardz] did you mean [index.number_of_shards]?",
    );
  });
});

describe("put-legacy-template", () => {
  test("adds a template, and replaces that of its name unless it must be new", () => {
    const template = { order: 1, index_patterns: ["a*"], settings: {}, mappings: {}, aliases: {} };
    const put = (create: boolean, order = 1): Task => ({
      kind: "put-legacy-template",
      name: "t",
      create,
      template: { ...template, order },
    });
    const state = after(empty, put(true));

    expect(legacyTemplatesOf(state).get("t")).toEqual(template);
    expect(legacyTemplatesOf(after(state, put(false, 2))).get("t")?.order).toBe(2);
    expect(applyTask(state, put(false), coreRules)).toEqual({ kind: "unchanged" });
    expect(reasonOf(applyTask(state, put(true), coreRules))).toBe(
      "index_template [t] already exists",
    );
  });
});

describe("delete-templates", () => {
  test("removes legacy templates by pattern; a pattern without a match is refused, but for `*`", () => {
    const state = withLegacy(withLegacy(empty, "a1", { index_patterns: ["a"] }), "b1", {
      index_patterns: ["b"],
    });
    const remove = (from: ClusterState, pattern: string) =>
      applyTask(from, { kind: "delete-templates", of: "legacy", pattern }, coreRules);

    expect(reasonOf(remove(state, "c*"))).toBe("index_template [c*] missing");
    expect(remove(empty, "*").kind).toBe("unchanged");
    const left = remove(state, "a*");
    expect(left.kind === "updated" && [...legacyTemplatesOf(left.state).keys()]).toEqual(["b1"]);
  });

  test("removes templates of the one kind that it names", () => {
    let state = withLegacy(empty, "t", { index_patterns: ["a"] });
    state = withIndexTemplate(state, "t", { index_patterns: ["a"] });

    const left = after(state, { kind: "delete-templates", of: "index", pattern: "t" });

    expect([...indexTemplatesOf(left).keys()]).toEqual([]);
    expect([...legacyTemplatesOf(left).keys()]).toEqual(["t"]);
  });
});
