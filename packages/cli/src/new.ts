/** `orrery new`: writes a template of a scenario, with a comment on each part. */
import { greatest } from "@orrery/stdx";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { parseScenario } from "@orrery/scenario";
import { readOptions } from "./options.ts";
import { replayLine } from "./replay-line.ts";
import { UsageError } from "./usage.ts";
import { writeAtomically } from "./atomic-file.ts";

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
  writeAtomically(file, text);
  process.stdout.write(`wrote ${file}\nrun it: ${replayLine({ file, seed: 1 })}\n`);
  return 0;
}

/** Name of the scenario: that of the file, with its folder. */
function nameIn(given: string): string {
  if (!/\.ya?ml$/.test(given)) return given;
  const parts = given.split(/[\\/]/).filter((part) => !["", ".", ".."].includes(part));
  return parts
    .slice(-2)
    .join("/")
    .replace(/\.ya?ml$/, "");
}

/** Path of the schema, which lies beside the bundle, relative to the scenario's folder, for editors. */
function schemaFor(file: string): string {
  const beside = join(import.meta.dirname, "scenario.schema.json");
  const schema = existsSync(beside)
    ? beside
    : createRequire(import.meta.url).resolve("@orrery/scenario/schema.json");
  const path = relative(dirname(resolve(file)), schema).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

function template(name: string, file: string): string {
  const lines = [
    [replayLine({ file, seed: 1 }), "one run, in virtual time"],
    [`npx orrery sweep ${file} --seeds 1000`, "many runs; each failure is written as a bundle"],
    [`npx orrery validate ${file}`, "checks the file"],
  ];
  const width = greatest(lines.map(([command = ""]) => command.length));
  const commands = lines.map(
    ([command = "", says = ""]) => `#   ${command.padEnd(width)}  ${says}`,
  );
  return `# A scenario: a cluster, its clients and faults, and the checkers of the run.
${commands.join("\n")}
name: ${name}

# One sentence: the property that the checkers verify.
claim: A node that is not the elected cluster manager loses power and comes back, and no acknowledged write is lost.

# Nodes are named node-1, node-2, ... Settings are node settings, as in opensearch.yml.
clusters:
  main: { nodes: 3, zones: [a, b, c], settings: {} }

indices:
  books: { shards: 2, replicas: 1 }

# Requests of clients during the whole phase: each of two clients writes 5 new documents every 50 ms.
workload:
  - { kind: bulk, index: books, clients: 2, documents: 5, every: 50ms, timeout: 10s }

# Faults with their start and end. Nodes by name, or by their current role: any, elected-cluster-manager,
# any-but-elected-cluster-manager, zone:b, primary:books/0, replica:books/0, minority ...
faults:
  - { kind: crash, node: any-but-elected-cluster-manager, from: 1s, to: 3s }
  - { kind: partition, isolate: elected-cluster-manager, from: 4s, to: 6s }

# Requests of a person or a script. Without [at] a step follows the previous one.
timeline:
  - { at: 2s, request: GET /_cluster/health, expect: { status: 200 } }

# Duration of faults and clients, and the longest time that the cluster may take to heal afterwards.
phases: { faults: 8s, converge: 60s }

# Checkers of the run.
checkers:
  - one-cluster-manager-per-term
  - no-acknowledged-write-lost
  - copies-of-a-shard-agree
  - converges-to-green
`;
}
