/**
 * The entry point of the image: the contract of the product's image, and that the modules of testcontainers get what they wait
 * for. `npm run image -- --check --modules` shows the same in containers, with the modules themselves.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { copyFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { root } from "./repository.ts";

const entrypoint = join(root, "docker/opensearch-docker-entrypoint.sh");

let home: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "orrery-image-"));
  mkdirSync(join(home, "bin"));
  mkdirSync(join(home, "config"));
  // The entry point rejects root, as which tests may run.
  program("id", "echo 1000");
});

afterEach(async () => {
  const running = child;
  child = undefined;
  if (running !== undefined && running.exitCode === null && running.signalCode === null) {
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGTERM");
    await ended;
  }
  rmSync(home, { recursive: true, force: true });
});

function program(name: string, text: string): void {
  const file = join(home, "bin", name);
  writeFileSync(file, `#!/bin/bash\n${text}\n`);
  chmodSync(file, 0o755);
}

interface Container {
  /** Everything that it has written so far. */
  readonly text: () => string;
  readonly exit: Promise<number | null>;
}

/** Starts the entry point with nothing but these variables. */
function start(environment: Readonly<Record<string, string>>, ...args: string[]): Container {
  const env = { OPENSEARCH_HOME: home, PATH: process.env["PATH"] ?? "", ...environment };
  const started = spawn("bash", [entrypoint, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  child = started;
  let text = "";
  for (const stream of [started.stdout, started.stderr])
    stream.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
  return {
    text: () => text,
    exit: new Promise((resolve) => started.once("close", resolve)),
  };
}

describe("the entry point", () => {
  const printing = 'printf "%s\\n" "$0" "$@"';
  const lines = async (container: Container): Promise<readonly string[]> => {
    await container.exit;
    return container.text().trimEnd().split("\n");
  };

  test("makes settings of variables with a dot, and of no others", async () => {
    program("opensearch", printing);
    const environment = {
      ...{ "cluster.name": "books", "discovery.seed_hosts": "a,b", processors: "2" },
      ...{ "node.name": "", "Upper.case": "x", plain: "x", "node.attr.text": "a=b c\nd" },
    };

    const [, ...settings] = (await lines(start(environment))).join("\n").split("\n-E");

    expect(settings.toSorted()).toEqual([
      ...["cluster.name=books", "discovery.seed_hosts=a,b", "node.attr.text=a=b c\nd"],
      "processors=2",
    ]);
  });

  test.each([
    [
      ["-Enode.name=n", "-q"],
      ["-Enode.name=n", "-q"],
    ],
    [["opensearch", "-Enode.name=n"], ["-Enode.name=n"]],
    [[], []],
  ])("starts a node with the arguments %j", async (args, expected) => {
    program("opensearch", printing);

    const [name, ...given] = await lines(start({}, ...args));

    expect([name, given.filter((word) => word !== "")]).toEqual([
      join(home, "bin/opensearch"),
      expected,
    ]);
  });

  test("runs any other command", async () => {
    expect(await lines(start({ "cluster.name": "books" }, "echo", "-n", "hello"))).toEqual([
      "hello",
    ]);
  });

  test.each([
    ["true", "-Eplugins.security.disabled=true"],
    ["false", "-Eplugins.security.disabled=false"],
  ])("takes DISABLE_SECURITY_PLUGIN=%s for the setting", async (value, setting) => {
    program("opensearch", printing);

    expect(await lines(start({ DISABLE_SECURITY_PLUGIN: value }))).toContain(setting);
  });

  test("accepts variables that mean nothing here, and says so", async () => {
    program("opensearch", printing);
    const environment = {
      OPENSEARCH_JAVA_OPTS: "-Xmx1g",
      OPENSEARCH_INITIAL_ADMIN_PASSWORD: "secret",
    };

    const text = (await lines(start(environment))).join("\n");

    expect(text).toContain("OPENSEARCH_JAVA_OPTS is accepted without effect");
    expect(text).toContain("OPENSEARCH_INITIAL_ADMIN_PASSWORD is accepted without effect");
    expect(text).not.toContain("secret");
  });

  test("does not start a node as root", async () => {
    program("id", "echo 0");
    program("opensearch", printing);
    const container = start({});

    expect(await container.exit).toBe(1);
    expect(container.text()).toContain("OpenSearch cannot run as root");
  });
});

/** Environment that each module sets, and the request that it repeats until the answer is the wanted one: read from its sources. */
const modules = {
  "org.opensearch:opensearch-testcontainers 4.1.0": {
    environment: { DISABLE_SECURITY_PLUGIN: "true" },
    path: "/",
    isReady: (status: number) => status === 200,
  },
  "testcontainers[opensearch] 4.15.0": {
    environment: { DISABLE_SECURITY_PLUGIN: "true", OPENSEARCH_INITIAL_ADMIN_PASSWORD: "admin" },
    path: "/_cluster/health?wait_for_status=green",
    isReady: (status: number) => status === 200,
  },
  "@testcontainers/opensearch 12.1.0": {
    environment: {
      "plugins.security.disabled": "true",
      OPENSEARCH_INITIAL_ADMIN_PASSWORD: "yourStrong(!)P@ssw0rd",
    },
    path: "/",
    isReady: (status: number) => status >= 200 && status < 300,
  },
  "github.com/testcontainers/testcontainers-go/modules/opensearch 0.37.0": {
    environment: {
      ...{ DISABLE_SECURITY_PLUGIN: "true", DISABLE_INSTALL_DEMO_CONFIG: "true" },
      ...{ OPENSEARCH_USERNAME: "admin", OPENSEARCH_PASSWORD: "admin" },
    },
    path: "/",
    isReady: (status: number, { tagline }: { readonly tagline?: string }) =>
      status === 200 && tagline === "The OpenSearch Project: https://opensearch.org/",
  },
} as const;

describe("a node of the entry point", () => {
  beforeEach(() => {
    copyFileSync(join(root, "docker/opensearch"), join(home, "bin/opensearch"));
    copyFileSync(join(root, "docker/opensearch-healthcheck"), join(home, "bin/healthcheck"));
    for (const name of ["opensearch", "healthcheck"]) chmodSync(join(home, "bin", name), 0o755);
    const command = join(root, "packages/cli/bin/orrery.mjs");
    program("orrery", `exec '${process.execPath}' '${command}' "$@"`);
    writeFileSync(join(home, "config/opensearch.yml"), "cluster.name: docker-cluster\n");
  });

  test.each(Object.entries(modules))("is what %s waits for", async (_, module) => {
    const port = await freePort();
    const container = start({
      ...{ "discovery.type": "single-node", "http.port": String(port) },
      ...module.environment,
    });
    const headers = { authorization: `Basic ${btoa("admin:admin")}` };
    const answer = async (): Promise<boolean> => {
      try {
        const response = await fetch(`http://127.0.0.1:${port}${module.path}`, { headers });
        return module.isReady(response.status, (await response.json()) as object);
      } catch {
        return false;
      }
    };

    await expect.poll(answer).toBe(true);
    // Pattern that `Wait.forLogMessage` and its like in other languages wait for.
    await expect.poll(container.text).toMatch(/\] started$/m);
    child?.kill("SIGTERM");
    expect(await container.exit).toBe(0);
  });

  test("has the settings of its file, above them those of variables, and is healthy", async () => {
    const port = await freePort();
    const environment = { "discovery.type": "single-node", "http.port": String(port) };
    const container = start({ ...environment, "node.name": "one" });
    await expect.poll(container.text).toContain("[one] started");
    const response = await fetch(`http://127.0.0.1:${port}`);

    expect(await response.json()).toMatchObject({ name: "one", cluster_name: "docker-cluster" });
    const check = spawn(join(home, "bin/healthcheck"), { env: { ...process.env, ...environment } });
    expect(await new Promise((resolve) => check.once("exit", resolve))).toBe(0);
    child?.kill("SIGTERM");
    await container.exit;
    const late = spawn(join(home, "bin/healthcheck"), { env: { ...process.env, ...environment } });
    expect(await new Promise((resolve) => late.once("exit", resolve))).not.toBe(0);
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}
