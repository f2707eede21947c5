/** Programs of the machine that make and start the image: what is there, and how they are run. */
import { spawnSync } from "node:child_process";

/** An image that this machine cannot make, with the reason. */
export class Unavailable extends Error {}

export function say(text) {
  console.error(`image: ${text}`);
}

/** Standard output of a program; throws with what it printed if it fails. */
export function output(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    ...options,
  });
  if (status === 0) return stdout.trim();
  const told = `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`.trim().slice(-4000);
  throw new Error(`[${program} ${args.join(" ").slice(0, 200)}] failed:\n${told}`);
}

function has(program) {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
}

/** Throws `Unavailable` if the machine lacks what cannot be installed; installs from Debian what can. */
export function needTools() {
  if (process.platform !== "linux") throw new Unavailable("this needs Linux");
  if (process.getuid() !== 0)
    throw new Unavailable("this needs root, for namespaces and for a file system of Debian");
  // Programs for root are often not on the path of who became root.
  process.env.PATH = `${process.env.PATH ?? ""}:/usr/local/sbin:/usr/sbin:/sbin`;
  const wanted = {
    unshare: "util-linux",
    nsenter: "util-linux",
    ip: "iproute2",
    buildah: "buildah",
    debootstrap: "debootstrap",
  };
  const missing = Object.keys(wanted).filter((program) => !has(program));
  if (missing.length > 0) {
    if (!has("apt-get"))
      throw new Unavailable(
        `[${missing.join(", ")}] is missing, and there is no apt-get to install it`,
      );
    const packages = [...new Set(missing.map((program) => wanted[program]))];
    say(`installing ${packages.join(", ")} …`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    try {
      output("apt-get", ["-qq", "update"], { env });
      output("apt-get", ["-qq", "install", "-y", "--no-install-recommends", ...packages], { env });
    } catch (error) {
      throw new Unavailable(`[${packages.join(", ")}] cannot be installed: ${error.message}`);
    }
  }
  const { status } = spawnSync("unshare", ["--net", "--mount", "--pid", "--fork", "true"]);
  if (status !== 0) throw new Unavailable("this machine does not allow new namespaces");
}
