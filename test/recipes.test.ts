/** Recipes for many machines: their commands exist, and the number of parts is the same wherever they name it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { commandNames, helpOf, type CommandName } from "../packages/cli/src/help.ts";
import { read, root } from "./repository.ts";

const folder = "docs/recipes";
const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.ya?ml$/.test(name))
  .map((name) => join(folder, name));

interface Invocation {
  readonly command: string;
  readonly options: readonly string[];
}

/** Calls of `orrery` in a text, also in comments, and in lists of arguments. */
function invocationsIn(text: string): readonly Invocation[] {
  const joined = text.replaceAll(
    /args: \[(.*)\]/g,
    (_, args: string) => `orrery ${args.replaceAll(/["',]/g, "")}`,
  );
  return [
    ...joined.matchAll(/(?:npx |^\s*|exec )orrery ([a-z]+)((?: [^\n&|;]*(?:\n\s+--[^\n]*)*)?)/gm),
  ].map(([, command = "", rest = ""]) => ({
    command,
    options: [...rest.matchAll(/(--[a-z]+)/g)].map(([, option = ""]) => option),
  }));
}

describe.each(files)("%s", (file) => {
  const text = read(file);

  test("calls commands with options that they have", () => {
    const invocations = invocationsIn(text);

    expect(invocations.length).toBeGreaterThan(0);
    for (const { command, options } of invocations) {
      expect(commandNames).toContain(command);
      const help = helpOf(command as CommandName);
      expect(options.filter((option) => !help.includes(`  ${option} `))).toEqual([]);
    }
  });

  test("is YAML without errors", () => {
    const errors = parseAllDocuments(text).flatMap((document) => document.errors);
    expect(errors).toEqual([]);
  });
});

interface IndexedJob {
  readonly spec: {
    readonly completionMode: string;
    readonly completions: number;
    readonly backoffLimitPerIndex: number;
    readonly template: {
      readonly spec: {
        readonly restartPolicy: string;
        readonly containers: readonly { readonly name: string; readonly args: readonly string[] }[];
      };
    };
  };
}

test("each pod of the Indexed Job has a share of its own", () => {
  const { spec } = parse(read(`${folder}/kubernetes/sweep-in-parts.yaml`)) as IndexedJob;
  const { restartPolicy, containers } = spec.template.spec;

  expect(spec).toMatchObject({ completionMode: "Indexed", backoffLimitPerIndex: 2 });
  // Kubernetes takes a policy for failed pods only if the pod itself does not restart.
  expect(restartPolicy).toBe("Never");
  expect(containers[0]?.args.join(" ")).toContain(`--shard auto/${spec.completions} `);
});

test("workers and their queue agree on its name, its port and the version of the program", () => {
  const [service, queue, workers] = parseAllDocuments(
    read(`${folder}/kubernetes/workers.yaml`),
  ).map((document) => document.toJS() as Record<string, unknown>);
  const { version } = JSON.parse(read("package.json")) as { version: string };

  expect(service).toMatchObject({
    metadata: { name: "orrery-queue" },
    spec: { selector: { app: "orrery-queue" }, ports: [{ port: 6379, targetPort: "redis" }] },
  });
  expect(queue).toMatchObject({
    spec: { template: { metadata: { labels: { app: "orrery-queue" } } } },
  });
  expect(JSON.stringify(workers)).toContain('"redis://orrery-queue"');
  expect(JSON.stringify(workers)).toContain(`"orrery:${version}"`);
});

test("the matrix numbers its parts from one", () => {
  const { jobs } = parse(read(`${folder}/github/sweep-in-parts.yml`)) as {
    jobs: { part: { strategy: { matrix: { part: readonly number[] } } } };
  };
  const { part } = jobs.part.strategy.matrix;

  expect(part).toEqual(Array.from(part, (_, i) => i + 1));
});
