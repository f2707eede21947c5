/**
 * Builds the image from the Dockerfile with buildah. The base images come from Debian and npm instead of a registry: their
 * contents are those of the official ones as far as the Dockerfile needs them.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../prepare.mjs";
import { output, say } from "./tools.mjs";

const MIRROR = "http://deb.debian.org/debian";
const NAME = "localhost/orrery:latest";

/** A store of images in a folder of its own, which the caller removes. */
export function openStore(folder) {
  const options = [
    "--root",
    join(folder, "store"),
    "--runroot",
    join(folder, "run"),
    "--storage-driver",
    "vfs",
  ];
  const env = { ...process.env, TMPDIR: folder };
  return { folder, buildah: (...args) => output("buildah", [...options, ...args], { env }) };
}

/** Builds the image; returns the folders of its root file system and of its base's, and its configuration. */
export function buildImage(store) {
  const { buildah } = store;
  const suites = [
    ...readFileSync(join(root, "Dockerfile"), "utf8").matchAll(/^FROM \S*?(\w+)-slim\b/gm),
  ];
  const [suite] = new Set(suites.map(([, name]) => name));
  const debian = `docker.io/library/debian:${suite}-slim`;
  makeDebian(store, suite, debian);
  makeNode(store, debian, `docker.io/library/node:24-${suite}-slim`);
  say("building the Dockerfile …");
  const npmCache = join(homedir(), ".npm");
  mkdirSync(npmCache, { recursive: true });
  buildah(
    ...[
      "bud",
      "--isolation",
      "chroot",
      "--format",
      "docker",
      "--pull-never",
      "--layers=false",
      "--quiet",
    ],
    ...["--volume", `${npmCache}:/root/.npm`, "--tag", NAME, root],
  );
  return {
    base: rootOf(store, debian),
    image: rootOf(store, NAME),
    config: JSON.parse(buildah("inspect", "--type", "image", NAME)).Docker.config,
  };
}

/** Writes the image as an archive that `docker load` reads. */
export function exportImage({ buildah }, file) {
  buildah("push", "--quiet", NAME, `docker-archive:${file}:orrery:latest`);
}

/** Folder of an image's file system. */
function rootOf({ buildah }, image) {
  return buildah("mount", buildah("from", "--pull-never", image));
}

/** Debian's minimal system, kept as an archive for the next time. */
function makeDebian({ folder, buildah }, suite, name) {
  const archive = join(root, `node_modules/.cache/orrery-image/${suite}-${process.arch}.tar`);
  if (!existsSync(archive)) {
    say(`making the base, Debian ${suite} …`);
    const system = mkdtempSync(join(folder, "debian-"));
    output("debootstrap", ["--variant=minbase", suite, system, MIRROR]);
    const excluded = [
      "./var/cache/apt/archives/*.deb",
      "./var/lib/apt/lists/*",
      "./usr/share/doc/*",
      "./usr/share/man/*",
      "./usr/share/locale/*",
    ];
    mkdirSync(dirname(archive), { recursive: true });
    output("tar", [
      "-C",
      system,
      ...excluded.map((path) => `--exclude=${path}`),
      "-cf",
      `${archive}.new`,
      ".",
    ]);
    renameSync(`${archive}.new`, archive);
    rmSync(system, { recursive: true, force: true });
  }
  const container = buildah("from", "scratch");
  buildah("add", "--quiet", container, archive, "/");
  buildah(
    "config",
    "--cmd",
    '["bash"]',
    "--env",
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    container,
  );
  buildah("commit", "--quiet", "--rm", "--format", "docker", container, name);
}

/** Debian with the Node of this project and the npm of this machine, for the stage that builds. */
function makeNode({ folder, buildah }, debian, name) {
  const stage = join(folder, "node");
  const command = process.env.npm_execpath ?? output("sh", ["-c", "command -v npm"]);
  const npm = dirname(dirname(realpathSync(command)));
  const node = join(root, `node_modules/node-linux-${process.arch}/bin/node`);
  cpSync(npm, join(stage, "usr/local/lib/node_modules/npm"), { recursive: true });
  mkdirSync(join(stage, "usr/local/bin"), { recursive: true });
  cpSync(existsSync(node) ? node : process.execPath, join(stage, "usr/local/bin/node"));
  for (const program of ["npm", "npx"])
    output("ln", [
      "-s",
      `../lib/node_modules/npm/bin/${program}-cli.js`,
      join(stage, "usr/local/bin", program),
    ]);
  const container = buildah("from", "--pull-never", debian);
  // A machine behind a proxy has certificates of its own, without which npm reaches no registry.
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates !== undefined && existsSync(certificates)) {
    mkdirSync(join(stage, "etc"), { recursive: true });
    cpSync(certificates, join(stage, "etc/extra-certificates.pem"), { dereference: true });
    buildah("config", "--env", "NODE_EXTRA_CA_CERTS=/etc/extra-certificates.pem", container);
  }
  buildah("add", "--quiet", container, stage, "/");
  buildah("commit", "--quiet", "--rm", "--format", "docker", container, name);
  rmSync(stage, { recursive: true, force: true });
}

/** Runs a function with a store in a temporary folder, which is removed afterwards. */
export async function withStore(use) {
  const folder = mkdtempSync(join(tmpdir(), "orrery-image-"));
  // A signal ends the program that runs at the moment, and with its failure this one, which must still remove the folder.
  const stay = () => undefined;
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stay);
  try {
    return await use(openStore(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, stay);
  }
}
