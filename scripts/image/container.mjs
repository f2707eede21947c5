/**
 * Containers without a container engine: a process in namespaces of its own, with the image's root file system, user,
 * variables, entry point and signal. They are on one bridge, and reach nothing else. The program that starts them runs in a
 * network and mount namespace of its own (`inNamespace`), with which everything here ends.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { output } from "./tools.mjs";

const SUBNET = "10.89.0";
/** Address of the programs that start containers. */
export const GATEWAY = `${SUBNET}.1`;

/**
 * Runs a module in new namespaces for network, mounts and processes; resolves with its exit code. The module is the first process
 * there: with it all containers end.
 */
export function inNamespace(module, args) {
  const options = words("--net --mount --pid --mount-proc --fork --kill-child=SIGKILL");
  const child = spawn("unshare", [...options, process.execPath, module, ...args], {
    stdio: "inherit",
  });
  // While it waits for its child, the program ignores any other signal.
  const end = () => child.kill("SIGKILL");
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => {
      for (const one of ["SIGINT", "SIGTERM"]) process.off(one, end);
      resolve(code ?? `signal ${signal}`);
    });
  });
}

/** Starts the network of containers of an image. `folder`: for what they write. */
export function createEngine({ image, config, folder }) {
  ip("link set lo up");
  ip("link add bridge0 type bridge");
  ip(`addr add ${GATEWAY}/24 dev bridge0`);
  ip("link set bridge0 up");
  // Named namespaces are mounts below this folder, which must not be those of the machine.
  mkdirSync("/run/netns", { recursive: true });
  output("mount", words("-t tmpfs tmpfs /run/netns"));
  const volumes = new Map();
  let started = 0;

  /** Folder of a named volume, which begins with the image's contents at its place, as Docker does it. */
  const volumeAt = (name, target) => {
    const path = volumes.get(name) ?? join(folder, `volume-${name}`);
    if (!volumes.has(name)) {
      if (existsSync(join(image, target))) output("cp", ["-a", join(image, target), path]);
      else mkdirSync(path);
      volumes.set(name, path);
    }
    return path;
  };

  return {
    /**
     * Starts a container. `name`: of its host; `hosts`: addresses of others by name; `address`: the last number of its own;
     * `volumes`: pairs of a volume's name and its place; `args`, `entrypoint`: instead of those of the image.
     */
    start({ volumes: wanted = [], ...options }) {
      started += 1;
      const container = {
        number: started,
        address: `${SUBNET}.${options.address ?? 10 + started}`,
        folder: mkdtempSync(join(folder, "container-")),
        mounts: wanted.map(([name, target]) => [volumeAt(name, target), target]),
      };
      makeNetwork(container);
      writeNames(container, options);
      return startContainer({ image, config, ...options, ...container });
    },
  };
}

function words(text) {
  return text.split(" ");
}

function ip(text) {
  output("ip", words(text));
}

function spaceOf({ number }) {
  return `container${number}`;
}

/** A network namespace with an interface on the bridge. */
function makeNetwork({ number, address }) {
  const space = spaceOf({ number });
  ip(`netns add ${space}`);
  ip(`link add veth${number} type veth peer name eth0 netns ${space}`);
  ip(`link set veth${number} master bridge0 up`);
  ip(`-n ${space} link set lo up`);
  ip(`-n ${space} addr add ${address}/24 dev eth0`);
  ip(`-n ${space} link set eth0 up`);
}

/** The folders of the container's file system, and in it the names of the hosts. */
function writeNames({ folder, address }, { name, hosts }) {
  for (const part of ["upper/etc", "work", "root"])
    mkdirSync(join(folder, part), { recursive: true });
  const all = { localhost: "127.0.0.1", [name]: address, ...hosts };
  const lines = Object.entries(all).map(([host, at]) => `${at} ${host}\n`);
  writeFileSync(join(folder, "upper/etc/hosts"), lines.join(""));
  writeFileSync(join(folder, "upper/etc/hostname"), `${name}\n`);
}

/** A pair of a variable's name and its value. */
export function variableOf(pair) {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function startContainer(container) {
  const { name, address, config, environment = {} } = container;
  const { args = config.Cmd, entrypoint = config.Entrypoint } = container;
  const variables = {
    HOSTNAME: name,
    ...Object.fromEntries(config.Env.map(variableOf)),
    ...environment,
  };
  const environmentWords = Object.entries(variables).map(([key, value]) => `${key}=${value}`);
  const startedMs = performance.now();
  const child = spawn(
    "nsenter",
    [
      `--net=/run/netns/${spaceOf(container)}`,
      ...words("unshare --mount --pid --uts --ipc --fork --kill-child=SIGKILL sh -c"),
      ...[scriptOf(container), "sh", ...environmentWords, ...entrypoint, ...args],
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const exit = new Promise((resolve) => {
    child.on("exit", (code, signal) => resolve(code ?? `signal ${signal}`));
  });
  return {
    ...{ name, address, exit, startedMs },
    ...linesOf(child, exit, name),
    /** Process id of the container's first process, as this namespace sees it. */
    get pid() {
      const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
      return Number(words(children)[0]);
    },
    kill(signal = config.StopSignal) {
      process.kill(this.pid, signal);
    },
    /** Runs a command in the container, as its user; returns status and output. */
    run(command) {
      const [user, group = user] = config.User.split(":");
      const inside = [
        ...words(`--target ${this.pid} --mount --uts --ipc --net --pid --root`),
        ...words(`--setuid ${user} --setgid ${group}`),
        ...[...cleanEnvironment(config), ...environmentWords, ...command],
      ];
      const { status, stdout, stderr } = spawnSync("nsenter", inside, { encoding: "utf8" });
      return { status, output: `${stdout}${stderr}`.trim() };
    },
    residentBytes() {
      const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
    },
  };
}

/** Shell script that changes into the container's file system and becomes its first process. */
function scriptOf({ image, config, folder, name, mounts }) {
  const root = join(folder, "root");
  const [user, group = user] = config.User.split(":");
  const layers = `lowerdir=${image},upperdir=${folder}/upper,workdir=${folder}/work`;
  return [
    "set -e",
    `mount -t overlay overlay -o '${layers}' '${root}'`,
    `mount -t proc proc '${root}/proc'`,
    `mount --rbind /dev '${root}/dev'`,
    ...mounts.map(([source, target]) => `mount --bind '${source}' '${root}${target}'`),
    `hostname '${name}'`,
    // An inherited list of groups would be one of root's.
    `exec chroot --userspec=${user}:${group} --groups=${group} '${root}' ${cleanEnvironment(config).join(" ")} "$@"`,
  ].join("\n");
}

/** Words before the variables of a command. */
function cleanEnvironment({ WorkingDir }) {
  return ["/usr/bin/env", "--ignore-environment", `--chdir=${WorkingDir}`];
}

/** The lines that a container writes, and ways to wait for them. */
function linesOf(child, exit, name) {
  const lines = [];
  const listeners = new Set();
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      for (const listener of listeners) listener(line);
    });
  return {
    lines,
    /** Calls the listener for each further line, until the returned function is called. */
    onLine: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Resolves with the first line that matches, also one that was written before. */
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const known = lines.find((line) => pattern.test(line));
        if (known !== undefined) resolve(known);
        listeners.add((line) => pattern.test(line) && resolve(line));
        void exit.then((code) =>
          reject(new Error(`${name} ended with ${code}:\n${lines.slice(-20).join("\n")}`)),
        );
      }),
  };
}
