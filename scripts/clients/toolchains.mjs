/** Toolchains that clients need, found on the PATH, and what is told of one that is missing. */
import { spawnSync } from "node:child_process";

/** How each tool states its version, and the oldest one that its clients compile with. */
const tools = {
  python3: { ask: ["--version"], version: /Python (\d+)\.(\d+)/, oldest: [3, 10] },
  java: { ask: ["-version"], version: /version "(\d+)(?:\.(\d+))?/, oldest: [17, 0] },
  javac: { ask: ["-version"], version: /javac (\d+)(?:\.(\d+))?/, oldest: [17, 0] },
  mvn: { ask: ["--version"], version: /Maven (\d+)\.(\d+)/, oldest: [3, 6] },
  go: { ask: ["version"], version: /go(\d+)\.(\d+)/, oldest: [1, 26] },
  cargo: { ask: ["--version"], version: /cargo (\d+)\.(\d+)/, oldest: [1, 85] },
  npm: { ask: ["--version"], version: /^(\d+)\.(\d+)/m, oldest: [9, 0] },
};

/** Why the client cannot run here; `undefined` if it can. */
export function missingTool({ missing, tools: needed = [] }) {
  if (missing !== undefined) return missing;
  for (const name of needed) {
    const problem = problemOf(name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(name) {
  const { ask, version, oldest } = tools[name];
  const { status, error, stdout, stderr } = spawnSync(name, ask, { encoding: "utf8" });
  if (error !== undefined || status !== 0) return `there is no ${name}`;
  const [found, major, minor = "0"] = version.exec(`${stdout}\n${stderr}`) ?? [];
  if (found === undefined) return `the version of ${name} is unknown`;
  const isOld =
    Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1]);
  return isOld ? `${name} ${major}.${minor} is older than ${oldest.join(".")}` : undefined;
}
