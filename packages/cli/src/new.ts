/** `orrery new`: writes a template of a scenario, with a comment on each part. */
import { greatest } from "@orrery/stdx";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { parseScenario } from "@orrery/scenario";
import { readOptions } from "./options.ts";
import { replayLine } from "./replay-line.ts";
import { UsageError } from "./usage.ts";
import { writeWhole } from "./write-whole.ts";

export async function newScenario(args: readonly string[]): Promise<number> {
  const options = readOptions(args, { output: { type: "string", short: "o" } });
  const [given, ...rest] = options.positionals;
  if (given === undefined || rest.length > 0)
    throw new UsageError("expected [orrery new NAME], one name");
  const name = nameIn(given);
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(name))
    throw new UsageError(
      `[${name}] is no name of a scenario: expected letters, digits, [-], [_] and [.], such as [drills/lost-zone]`,
    );
  const file =
    options.text("output") ?? (name === given ? `${name.split("/").at(-1)}.yaml` : given);
  if (existsSync(file)) throw new UsageError(`there is a file [${file}] already`);
  const text = `# yaml-language-server: $schema=${schemaFor(file)}\n${template(name, file)}`;
  parseScenario(file, text);
  writeWhole(file, text);
  process.stdout.write(`wrote ${file}\nrun it: ${replayLine({ file, seed: 1 })}\n`);
  return 0;
}

/** Name of the scenario: that of the file, with its folder. */
function nameIn(given: string): string {
  if (!/\.ya?ml$/.test(given)) return given;
  const parts = given.split("/").filter((part) => !["", ".", ".."].includes(part));
  return parts
    .slice(-2)
    .join("/")
    .replace(/\.ya?ml$/, "");
}

/** Path of the schema relative to the scenario's folder, for editors. */
function schemaFor(file: string): string {
  const schema = createRequire(import.meta.url).resolve("@orrery/scenario/schema.json");
  const path = relative(dirname(resolve(file)), schema).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

function template(name: string, file: string): string {
  const lines = [
    [replayLine({ file, seed: 1 }), "one run, in virtual time"],
    [`npx orrery sweep ${file} --seeds 1000`, "many; each failure is kept as a bundle"],
    [`npx orrery validate ${file}`, "is it written well?"],
  ];
  const width = greatest(lines.map(([command = ""]) => command.length));
  const commands = lines.map(
    ([command = "", says = ""]) => `#   ${command.padEnd(width)}  ${says}`,
  );
  return `# A scenario: what happens to a cluster, and what must hold all the same.
${commands.join("\n")}
name: ${name}

# One sentence: what the checkers make sure of.
claim: A node that is not the elected cluster manager loses power and comes back, and no acknowledged write is lost.

# Nodes are named node-1, node-2, ... Settings are node settings, as in opensearch.yml.
clusters:
  main: { nodes: 3, zones: [a, b, c], settings: {} }

indices:
  books: { shards: 2, replicas: 1 }

# What clients do all the while: each of two clients writes 5 new documents every 50 ms.
workload:
  - { kind: bulk, index: books, clients: 2, documents: 5, every: 50ms, timeout: 10s }

# What goes wrong, from when to when. Nodes by name, or by what they are at the moment: any, elected-cluster-manager,
# any-but-elected-cluster-manager, zone:b, primary:books/0, replica:books/0, minority ...
faults:
  - { kind: crash, node: any-but-elected-cluster-manager, from: 1s, to: 3s }
  - { kind: partition, isolate: elected-cluster-manager, from: 4s, to: 6s }

# What a person or a script does meanwhile. Without [at] a step follows the one before it.
timeline:
  - { at: 2s, request: GET /_cluster/health, expect: { status: 200 } }

# Faults and clients for so long; then everything ends, and the cluster must heal within so long.
phases: { faults: 8s, converge: 60s }

# Who judges the run.
checkers:
  - one-cluster-manager-per-term
  - no-acknowledged-write-lost
  - copies-of-a-shard-agree
  - converges-to-green
`;
}
