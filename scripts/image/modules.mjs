/**
 * The official modules of testcontainers for Node, Python, Go and Java, unchanged, against the image: what they need is
 * installed first, then they run in the namespace of the containers, whose Docker is `docker-api.mjs`.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { newerNode, root } from "../prepare.mjs";
import { createEngine } from "./container.mjs";
import { serveDockerApi } from "./docker-api.mjs";
import { output, say } from "./tools.mjs";

const folders = join(root, "test/testcontainers");

/** How the program of a language is installed into a folder, and the command that runs it there. */
const languages = {
  node: {
    install: (folder) => {
      const file = join(folder, "package.json");
      const own = join(root, "integrations/testcontainers-node");
      // A tarball is installed as from the registry; a folder would be a link to where its dependencies are not.
      const [{ filename }] = JSON.parse(
        output("npm", ["pack", own, "--json", "--pack-destination", folder]),
      );
      const manifest = JSON.parse(readFileSync(file, "utf8"));
      manifest.dependencies["@orrery/testcontainers"] =
        `file:${filename.replaceAll("/", "-").replace("@", "")}`;
      writeFileSync(file, JSON.stringify(manifest));
      output("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });
    },
    command: (folder) => [newerNode(), join(folder, "run.mjs")],
  },
  python: {
    install: (folder) => {
      output("python3", ["-m", "venv", "environment"], { cwd: folder });
      output("environment/bin/pip", ["install", "--quiet", "testcontainers[opensearch]==4.15.0"], {
        cwd: folder,
      });
    },
    command: (folder) => [join(folder, "environment/bin/python"), join(folder, "run.py")],
  },
  go: {
    install: (folder) => {
      output("go", ["build", "-mod=mod", "-o", "run", "."], { cwd: folder });
    },
    command: (folder) => [join(folder, "run")],
  },
  java: {
    install: (folder) => {
      output(
        "mvn",
        ["-q", "-B", "package", "dependency:copy-dependencies", "-DoutputDirectory=lib"],
        { cwd: folder },
      );
    },
    command: (folder) => ["java", "-cp", `${folder}/target/classes:${folder}/lib/*`, "Run"],
  },
};

/** Installs the programs; returns the names of those that can run, and the reasons for the others. */
export function installModules(folder) {
  const ready = [];
  const skipped = {};
  for (const [name, { install }] of Object.entries(languages)) {
    say(`installing the module of testcontainers for ${name} …`);
    const own = join(folder, "modules", name);
    mkdirSync(own, { recursive: true });
    cpSync(join(folders, name), own, { recursive: true });
    try {
      install(own);
      ready.push(name);
    } catch (error) {
      skipped[name] = error.message.slice(0, 500);
      say(`${name} is skipped: ${skipped[name]}`);
    }
  }
  return { ready, skipped };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await runModules();

async function runModules() {
  const [file, result] = process.argv.slice(2);
  const { ready, ...built } = JSON.parse(readFileSync(file, "utf8"));
  const engine = createEngine(built);
  const socket = join(built.folder, "docker.sock");
  const docker = await serveDockerApi({
    socket,
    config: built.config,
    start: (options) => engine.start(options),
  });
  const passed = {};
  try {
    for (const name of ready) {
      const begun = performance.now();
      await run(name, join(built.folder, "modules", name), socket, docker);
      passed[`${name}_ms`] = Math.round(performance.now() - begun);
      say(`the module for ${name} starts, uses and ends the image (${passed[`${name}_ms`]} ms)`);
    }
    writeFileSync(result, JSON.stringify(passed));
  } finally {
    docker.close();
  }
}

function run(name, folder, socket, { containers }) {
  const [program, ...args] = languages[name].command(folder);
  const env = {
    ...process.env,
    DOCKER_HOST: `unix://${socket}`,
    TESTCONTAINERS_RYUK_DISABLED: "true",
    // Programs in this namespace reach the published ports on the loopback address.
    TESTCONTAINERS_HOST_OVERRIDE: "127.0.0.1",
    TESTCONTAINERS_CONNECTION_MODE: "docker_host",
  };
  const child = spawn(program, [...args, "orrery:latest"], {
    cwd: folder,
    env,
    stdio: ["ignore", 2, 2],
  });
  return new Promise((resolve, reject) => {
    child.on("exit", (code) => {
      if (code === 0) return resolve();
      const lines = [...containers.values()].flatMap(({ running }) => running?.lines ?? []);
      return reject(
        new Error(
          `the module for ${name} ended with ${code}; the containers said:\n${lines.join("\n")}`,
        ),
      );
    });
  });
}
