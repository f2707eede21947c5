/** Which package may import which: the arrows of docs/ARCHITECTURE.md, and that they point inwards only. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { exists, filesBelow, packageNames, read } from "./repository.ts";

/** What each package may import besides `stdx`. */
const layers: Readonly<Record<string, readonly string[]>> = {
  stdx: [],
  analysis: [],
  raft: [],
  "cluster-state": [],
  replication: [],
  ports: [],
  segment: ["analysis"],
  query: ["analysis", "segment"],
  allocation: ["cluster-state"],
  protocol: ["raft", "cluster-state"],
  repository: ["ports"],
  "cluster-manager": [
    ...["ports", "raft", "cluster-state", "allocation", "protocol", "repository"],
  ],
  "shard-worker": [
    ...["ports", "segment", "query", "replication", "cluster-state", "protocol", "repository"],
  ],
  ingest: ["ports", "query"],
  coordinator: ["ports", "cluster-state", "query", "protocol", "ingest"],
  node: [
    ...["ports", "cluster-state", "protocol", "cluster-manager", "shard-worker", "coordinator"],
    "ingest",
  ],
  rest: ["cluster-state", "query", "node"],
  "transport-memory": ["ports"],
  "transport-grpc": ["ports"],
  "transport-websocket": ["ports"],
  storage: ["ports"],
  faults: ["ports"],
  telemetry: ["ports"],
  "host-node": ["ports", "shard-worker", "storage"],
  seeds: [],
  bundle: ["ports"],
  "http-server": ["rest"],
  simulator: ["ports", "node"],
  scenario: ["node", "ports", "simulator", "rest"],
  fuzz: [
    ...["simulator", "rest", "ports", "scenario", "storage", "plugin-cross-cluster-replication"],
    ...["node", "protocol", "host-node", "transport-grpc", "transport-websocket"],
  ],
  studio: ["ports", "scenario"],
  testing: ["simulator", "scenario", "rest", "http-server"],
  vitest: ["testing"],
};

/** Compile without Node's or the browser's types: what they cannot name they cannot reach. */
const withoutWorld = new Set([
  ...["stdx", "analysis", "segment", "query", "raft", "cluster-state", "allocation"],
  ...["replication", "protocol", "ports", "cluster-manager", "shard-worker", "coordinator"],
  ...["node", "rest", "transport-memory", "faults", "repository", "ingest"],
]);
const pure = new Set([
  ...["analysis", "segment", "query", "raft", "cluster-state", "allocation"],
  ...["replication", "protocol"],
]);
const pluginMayImport = new Set([
  ...["ports", "cluster-state", "query", "protocol", "repository", "shard-worker", "node", "rest"],
  "ingest",
]);
/** For its checkers alone. */
const pluginMayDeclare = new Set([...pluginMayImport, "scenario"]);

describe.each(packageNames)("package %s", (name) => {
  test("declares exactly the edges the table allows", () => {
    const declared = declaredBy(name).filter((other) => other !== "stdx");
    const row = layers[name];
    if (name === "cli") expect(declared.filter((other) => pure.has(other))).toEqual([]);
    else if (/^(plugin|repository)-/.test(name)) {
      expect(declared.filter((other) => !pluginMayDeclare.has(other))).toEqual([]);
    } else expect(declared.toSorted()).toEqual(row?.toSorted());
  });

  test("imports only what it declares", () => {
    const declared = new Set(declaredBy(name));
    expect(importedBy(name).filter((other) => !declared.has(other))).toEqual([]);
  });

  test("loads the lab in its checkers only, where it is a plugin", () => {
    if (!/^(plugin|repository)-/.test(name)) return;
    const loading = filesBelow(`packages/${name}/src`, ".ts").filter((file) =>
      read(file).includes('"@orrery/scenario'),
    );
    expect(loading.filter((file) => !/\/src\/checkers(\/|\.ts$)/.test(file))).toEqual([]);
  });

  test("references what it declares, so that a build of it is complete", () => {
    expect(referencedBy(name).toSorted()).toEqual(declaredBy(name).toSorted());
  });

  test("names no world it must not know", () => {
    const { compilerOptions } = tsconfigOf(name);
    const types = compilerOptions?.types ?? [];
    if (withoutWorld.has(name)) expect([types, compilerOptions?.lib]).toEqual([[], undefined]);
    expect(read("tsconfig.build.json")).toContain(`"packages/${name}"`);
  });

  test("has a README of at most 40 lines", () => {
    const readme = `packages/${name}/README.md`;
    expect(exists(readme), `${readme} is missing`).toBe(true);
    expect(read(readme).trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  });
});

interface Ring {
  readonly ring: string;
  readonly packages: Readonly<Record<string, string>>;
}

/** Rings as docs/ARCHITECTURE.md draws them, the innermost first. */
const rings = parse(read("scripts/architecture/rings.yaml")) as readonly Ring[];
const ringOf = (name: string): number => rings.findIndex(({ packages }) => name in packages);

test("each package is in one ring", () => {
  const placed = rings.flatMap(({ packages }) => Object.keys(packages));
  expect(placed.toSorted()).toEqual(packageNames.toSorted());
});

test.each(packageNames)("package %s imports from its own ring and those inside it", (name) => {
  const outer = declaredBy(name).filter((other) => ringOf(other) > ringOf(name));
  // The checkers of a plugin are loaded by the lab alone.
  const isOfCheckers = (other: string): boolean =>
    name.startsWith("plugin-") && other === "scenario";
  expect(outer.filter((other) => !isOfCheckers(other))).toEqual([]);
});

test("the arrows have no cycle", () => {
  const order = [...packageNames];
  const placed = new Set<string>();
  for (let before = -1; before !== placed.size;) {
    before = placed.size;
    for (const name of order) {
      if (declaredBy(name).every((other) => placed.has(other))) placed.add(name);
    }
  }
  expect(order.filter((name) => !placed.has(name))).toEqual([]);
});

function declaredBy(name: string): string[] {
  const { dependencies = {} } = JSON.parse(read(`packages/${name}/package.json`)) as {
    dependencies?: Record<string, string>;
  };
  return Object.keys(dependencies).flatMap((id) => (id.startsWith("@orrery/") ? id.slice(8) : []));
}

function importedBy(name: string): string[] {
  const names = filesBelow(`packages/${name}/src`, ".ts")
    .flatMap((file) => [...read(file).matchAll(/(?:from|import\() ?"@orrery\/([^"/]+)/g)])
    .map(([, other]) => other ?? "");
  return [...new Set(names)];
}

interface Tsconfig {
  readonly compilerOptions?: { readonly types?: string[]; readonly lib?: string[] };
  readonly references?: readonly { readonly path: string }[];
}

function tsconfigOf(name: string): Tsconfig {
  return JSON.parse(read(`packages/${name}/tsconfig.json`)) as Tsconfig;
}

function referencedBy(name: string): string[] {
  return (tsconfigOf(name).references ?? []).map(({ path }) => path.replace("../", ""));
}
