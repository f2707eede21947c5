/**
 * Installs and builds what is missing, quietly; returns at once when nothing is. Runs on Node 20, which is enough to
 * bring the newer Node that everything else runs on.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");
const modules = join(root, "node_modules");
const builtStamp = join(modules, ".cache/orrery-built");

export function prepare() {
  install();
  if (!isBuilt()) build();
}

export function install() {
  if (!isInstalled()) run("npm ci", "npm", ["ci"]);
}

/**
 * Whether npm's record of what it installed has every package of the lock file, as it says there. Packages for other platforms are
 * optional and not installed. The times of the files say nothing: a checkout makes every file new.
 */
function isInstalled() {
  const installed = packagesOf(join(modules, ".package-lock.json"));
  return Object.entries(packagesOf(join(root, "package-lock.json"))).every(([path, wanted]) => {
    const { version, integrity } = installed[path] ?? {};
    if (path === "" || (installed[path] === undefined && wanted.optional === true)) return true;
    return path in installed && version === wanted.version && integrity === wanted.integrity;
  });
}

function packagesOf(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, "utf8")).packages : {};
}

/** The Node that runs the program and its tests: this one, or the one that npm brought. */
export function newerNode() {
  if (Number(process.versions.node.split(".")[0]) >= 22) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const node = join(modules, name, "bin/node");
  if (existsSync(node)) return node;
  console.error(
    `Node 22 or newer is needed, this is ${process.version}, and there is no package ${name}`,
  );
  return process.exit(2);
}

function build() {
  run("bundle", newerNode(), [join(root, "scripts/bundle.mjs")]);
  mkdirSync(join(modules, ".cache"), { recursive: true });
  writeFileSync(builtStamp, "");
}

/** Whether the bundle is there, and no source is newer than it. */
function isBuilt() {
  const builtMs = modifiedMs(builtStamp);
  const isThere = (name) => existsSync(join(root, "packages", name, "dist/bundle/index.js"));
  if (builtMs === 0 || !["cli", "testing", "vitest"].every(isThere)) return false;
  const packages = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
  return packages.every((folder) => newestMs(folder) <= builtMs);
}

function newestMs(folder) {
  const sources = [join(folder, "package.json"), ...filesIn(join(folder, "src"))];
  return Math.max(...sources.map(modifiedMs));
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...filesIn(path)] : [path];
  });
}

function modifiedMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Says one line, and shows what the command printed only when it fails. */
function run(title, command, args) {
  console.error(`orrery: ${title} …`);
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return;
  console.error(`${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`.trim());
  console.error(`orrery: ${title} failed`);
  process.exit(1);
}
