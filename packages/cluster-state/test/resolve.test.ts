/** Index, alias, date-math and node expressions, with the answers of the product. */
import { OperationError } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  aliasFilter,
  indicesOptions,
  resolveAliasActions,
  resolveDateMath,
  resolveIndices,
  resolveNodes,
  resolveSearchRouting,
  resolveSingleIndex,
  resolveWriteIndex,
  resolveWriteRouting,
  withParameters,
  type ClusterState,
  type IndicesOptions,
} from "../src/index.ts";
import { after, cluster, node, withNewIndex } from "./fixture.ts";

const filter = { term: { a: 1 } };

function shelves(): ClusterState {
  const base = cluster(node("n1"));
  const books = withNewIndex(base, "books", {}, { aliases: { all: {}, one: { filter } } });
  const boxes = withNewIndex(books, "boxes", {}, { aliases: { all: { isWriteIndex: true } } });
  const closed = ["block", "close"].reduce(
    (state, step) =>
      after(state, {
        kind: "close-index",
        step: step as "block" | "close",
        indices: ["bits"],
        nowMs: 1,
      }),
    withNewIndex(boxes, "bits"),
  );
  return withNewIndex(closed, ".dots", { "index.hidden": "true" });
}

const state = shelves();
const open = indicesOptions.strictExpandOpenAndForbidClosed;

function names(expressions: readonly string[], options: IndicesOptions = open): readonly string[] {
  return resolveIndices(state, expressions, options, 0).map(({ name }) => name);
}

function problem(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (error instanceof OperationError) return error.problem;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("index expressions", () => {
  test.each([
    [[], ["books", "boxes"]],
    [["_all"], ["books", "boxes"]],
    [["*"], ["books", "boxes"]],
    [["b*"], ["books", "boxes"]],
    [["b*", "-books"], ["boxes"]],
    [["all"], ["books", "boxes"]],
    [
      ["boxes", "books", "boxes"],
      ["boxes", "books"],
    ],
    [["none*"], []],
    [[".d*"], [".dots"]],
    [["a*"], ["books", "boxes"]],
  ])("%j are %j", (expressions, expected) => {
    expect(names(expressions)).toEqual(expected);
  });

  test("reach closed and hidden indices when asked to", () => {
    const all = withParameters(open, { expand_wildcards: "all" });
    expect(names(["*"], { ...all, forbidClosedIndices: false })).toEqual([
      ".dots",
      "bits",
      "books",
      "boxes",
    ]);
    const closed = withParameters(indicesOptions.strictExpand, { expand_wildcards: ["closed"] });
    expect(names(["*"], closed)).toEqual(["bits"]);
  });

  test.each([
    [["nope"], {}, "no such index [nope]", "index_or_alias"],
    [["books", "nope"], {}, "no such index [nope]", "index_or_alias"],
    [["books", "-books"], {}, "no such index [-books]", "index_or_alias"],
    [["none*"], { allow_no_indices: false }, "no such index [none*]", "index_or_alias"],
    [
      ["bits"],
      { allow_no_indices: false, ignore_unavailable: true },
      "no such index [null]",
      "index_expression",
    ],
  ])("%j with %j are refused: %s", (expressions, parameters, reason, resourceType) => {
    const refused = problem(() => names(expressions, withParameters(open, parameters)));

    expect(refused).toMatchObject({ type: "index_not_found_exception", reason, status: 404 });
    expect(refused.metadata?.["resource.type"]).toBe(resourceType);
  });

  test("that name a closed index are refused, unless unavailable ones are ignored", () => {
    expect(problem(() => names(["bits"]))).toMatchObject({
      type: "index_closed_exception",
      reason: "closed",
      status: 400,
    });
    expect(names(["bits", "books"], { ...open, ignoreUnavailable: true })).toEqual(["books"]);
  });

  test("that name an alias where only indices will do are refused", () => {
    const options = { ...open, ignoreAliases: true };

    expect(problem(() => names(["all"], options)).reason).toBe(
      "The provided expression [all] matches an alias, specify the corresponding concrete indices instead.",
    );
    expect(names(["a*"], options)).toEqual([]);
  });

  test("begin with no underscore", () => {
    expect(problem(() => names(["_nosuch"])).reason).toBe(
      "Invalid index name [_nosuch], must not start with '_'.",
    );
  });

  test("do not know other wildcard states", () => {
    expect(problem(() => withParameters(open, { expand_wildcards: "foo" })).reason).toBe(
      "No valid expand wildcard value [foo]",
    );
  });
});

describe("one index", () => {
  test("is read through an alias of one, and written through the write index", () => {
    expect(resolveSingleIndex(state, "one", 0).name).toBe("books");
    expect(resolveWriteIndex(state, "all", 0).name).toBe("boxes");
    expect(problem(() => resolveSingleIndex(state, "all", 0)).reason).toBe(
      "alias [all] has more than one index associated with it [books, boxes], can't execute a single index op",
    );
  });

  test("that is missing is an index expression for a write", () => {
    expect(problem(() => resolveWriteIndex(state, "nope", 0))).toMatchObject({
      reason: "no such index [nope]",
      metadata: { "resource.type": "index_expression" },
    });
  });
});

describe("aliases in a search", () => {
  test("filter, unless the index is reached without a filter too", () => {
    expect(aliasFilter(state, "books", ["one"], 0)).toEqual({ aliases: ["one"], filter });
    expect(aliasFilter(state, "books", ["one", "books"], 0)).toBeUndefined();
    expect(aliasFilter(state, "books", ["one", "all"], 0)).toBeUndefined();
    expect(aliasFilter(state, "books", ["*"], 0)).toBeUndefined();
  });

  test("bring their routing, which the request's own narrows", () => {
    const routed = withNewIndex(
      state,
      "routed",
      {},
      {
        aliases: { r: { searchRouting: "x,y", indexRouting: "x" } },
      },
    );

    const values = (routing?: string, expressions = ["r"]) =>
      [...(resolveSearchRouting(routed, routing, expressions, 0) ?? [])].map(([index, set]) => [
        index,
        [...set],
      ]);

    expect(values()).toEqual([["routed", ["x", "y"]]]);
    expect(values("y,z")).toEqual([["routed", ["y"]]]);
    expect(values(undefined, ["r", "routed"])).toEqual([]);
    expect(values("q", ["books"])).toEqual([["books", ["q"]]]);
    expect(resolveWriteRouting(routed, "r", undefined, 0)).toBe("x");
    expect(problem(() => resolveWriteRouting(routed, "r", "z", 0)).reason).toBe(
      "Alias [r] has index routing associated with it [x], and was provided with routing value [z], rejecting operation",
    );
  });
});

describe("alias requests", () => {
  const remove = (aliases: readonly string[], mustExist?: boolean) => [
    {
      kind: "remove" as const,
      indices: ["b*"],
      aliases,
      ...(mustExist === undefined ? {} : { mustExist }),
    },
  ];

  test("resolve to concrete indices and aliases", () => {
    expect(resolveAliasActions(state, remove(["a*"]), 0)).toEqual([
      { kind: "remove", index: "books", alias: "all" },
      { kind: "remove", index: "boxes", alias: "all" },
    ]);
  });

  test("that remove nothing at all are refused", () => {
    expect(problem(() => resolveAliasActions(state, remove(["zz"]), 0))).toMatchObject({
      type: "aliases_not_found_exception",
      reason: "aliases [zz] missing",
      status: 404,
    });
  });
});

/** 2026-11-21T23:40:00Z, a Saturday. */
const now = 1_795_304_400_000;

describe("date math", () => {
  test.each([
    ["logs", "logs"],
    ["<logs-{now/d}>", "logs-2026.11.21"],
    ["<logs-{now/d-1d{yyyy.MM.dd|+02:00}}>", "logs-2026.11.21"],
    ["<logs-{now/M}>", "logs-2026.11.01"],
    ["<logs-{now/M{YYYY-w}}>", "logs-2026-44"],
    ["<logs-{now+1M/M{yyyy-MM}}-x>", "logs-2026-12-x"],
    ["<logs-{now-3M-1y{yyyy.MM.dd}}>", "logs-2025.08.21"],
    ["<logs-\\{now\\}>", "logs-{now}"],
    ["<logs-{now/H{yyyy-MM-dd-HH}}>", "logs-2026-11-21-23"],
  ])("%s is %s", (expression, expected) => {
    expect(resolveDateMath(expression, now)).toBe(expected);
  });

  test.each([
    [
      "<logs-{now/d-1d{yyyy.MM.dd>",
      "invalid dynamic name expression [logs-{now/d-1d{yyyy.MM.dd]. date math placeholder is open ended",
    ],
    ["<x-{now/}>", "truncated date math [/]"],
  ])("%s is refused", (expression, reason) => {
    expect(problem(() => resolveDateMath(expression, now)).type).toBe("parse_exception");
    expect(problem(() => resolveDateMath(expression, now)).reason).toBe(reason);
  });
});

describe("node expressions", () => {
  const nodes = cluster(
    node("n1", { attributes: { zone: "a" } }),
    node("n2", { roles: ["data"], attributes: { zone: "b" } }),
    node("n3", { roles: ["cluster_manager"] }),
  );

  test.each([
    [[], ["n1-id", "n2-id", "n3-id"]],
    [["_all"], ["n1-id", "n2-id", "n3-id"]],
    [["_cluster_manager"], ["n1-id"]],
    [["_local"], ["n3-id"]],
    [["n*", "data:false"], ["n3-id"]],
    [["data:true"], ["n1-id", "n2-id"]],
    [["zone:b"], ["n2-id"]],
    [["n2", "nobody"], ["n2-id"]],
  ])("%j are %j", (expressions, expected) => {
    expect(resolveNodes(nodes, expressions, node("n3").id)).toEqual(expected);
  });
});
