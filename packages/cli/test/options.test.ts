/** Command-line options: what is read, and that each mistake is one sentence. */
import { describe, expect, test } from "vitest";
import { planNodes } from "../src/cluster-plan.ts";
import { integer, readOptions, settingsOf } from "../src/options.ts";
import { UsageError } from "../src/usage.ts";

const table = {
  nodes: { type: "string" },
  setting: { type: "string", short: "E", multiple: true },
  json: { type: "boolean" },
} as const;

function complaintOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  }
  return "no complaint";
}

describe("options", () => {
  test("are read with and without an equals sign, in any order", () => {
    const args = ["a", "--nodes=5", "-E", "x=1", "--json", "-E", "y=a=b", "b"];

    const options = readOptions(args, table);

    expect(options.text("nodes")).toBe("5");
    expect(options.flag("json")).toBe(true);
    expect(options.list("setting")).toEqual(["x=1", "y=a=b"]);
    expect(options.positionals).toEqual(["a", "b"]);
  });

  test("that are missing are undefined, false or empty", () => {
    const options = readOptions([], table);

    expect([options.text("nodes"), options.flag("json"), options.list("setting")]).toEqual([
      undefined,
      false,
      [],
    ]);
  });

  test.each([
    [["--node", "3"], "unknown option [--node] -> did you mean [--nodes]?"],
    [["--nodse=3"], "unknown option [--nodse] -> did you mean [--nodes]?"],
    [["--zzzzzz"], "unknown option [--zzzzzz]"],
    [["--constructor"], "unknown option [--constructor]"],
  ])("%j: %s", (args, complaint) => {
    expect(complaintOf(() => readOptions(args, table))).toBe(complaint);
  });

  test.each([[["--nodes"]], [["-x"]], [["--json=yes"]]])("%j is one sentence", (args) => {
    expect(complaintOf(() => readOptions(args, table))).toMatch(/^[^\n]{10,}$/);
  });
});

describe("a number", () => {
  test("within its bounds is read", () => {
    expect(integer("nodes", "64", { low: 1, high: 64 })).toBe(64);
  });

  test.each(["0", "65", "three", "1.5", "", " 3", "1e1", "99999999999999999999"])(
    "%j is refused",
    (text) => {
      expect(complaintOf(() => integer("nodes", text, { low: 1, high: 64 }))).toBe(
        `[--nodes] must be a whole number from 1 to 64, not [${text}]`,
      );
    },
  );
});

describe("settings", () => {
  test("keep what follows the first equals sign, and the last of two counts", () => {
    expect(settingsOf(["a=1", "b=x=y", "c=", "a=2"])).toEqual({ a: "2", b: "x=y", c: "" });
  });

  test.each(["novalue", "=value", ""])("%j is no setting", (pair) => {
    expect(complaintOf(() => settingsOf([pair]))).toBe(
      `[-E ${pair}] is not of the form [-E setting=value]`,
    );
  });
});

describe("a plan", () => {
  const plan = { nodes: 3, transport: "grpc", httpPort: 9200, zones: [], settings: {} } as const;

  test("numbers nodes and ports from one", () => {
    const nodes = planNodes(plan);

    expect(
      nodes.map(({ name, httpPort, transportPort }) => [name, httpPort, transportPort]),
    ).toEqual([
      ["node-1", 9200, 9300],
      ["node-2", 9201, 9301],
      ["node-3", 9202, 9302],
    ]);
    for (const { settings } of nodes)
      expect(settings).toEqual({
        "discovery.seed_hosts": ["127.0.0.1:9300", "127.0.0.1:9301", "127.0.0.1:9302"],
        "cluster.initial_cluster_manager_nodes": ["node-1"],
      });
  });

  test("deals zones out in turn, and settings of the command line count most", () => {
    const nodes = planNodes({
      ...plan,
      zones: ["a", "b"],
      settings: { "discovery.seed_hosts": "x" },
    });

    expect(nodes.map(({ settings }) => settings["node.attr.zone"])).toEqual(["a", "b", "a"]);
    expect(nodes[0]?.settings["discovery.seed_hosts"]).toBe("x");
  });

  test("in memory has names in the place of addresses", () => {
    const [first] = planNodes({ ...plan, transport: "memory" });

    expect(first).toMatchObject({ transportPort: undefined });
    expect(first?.settings["discovery.seed_hosts"]).toEqual(["node-1", "node-2", "node-3"]);
  });
});
