/** Every row of the product's tables has an example, and behaves as its example says. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  differences,
  keptOf,
  preparations,
  readExample,
  requestOf,
  type Request,
} from "./examples/example.ts";
import { rows } from "./examples/rows.ts";
import { simulatedCluster } from "./simulated-cluster.ts";

const folder = join(import.meta.dirname, "examples");
const families = Object.keys(rows);
const filesOf = (family: string): readonly string[] =>
  existsSync(join(folder, family)) ? readdirSync(join(folder, family)).toSorted() : [];

/** One node that has nothing but what the example makes. */
async function freshNode(): Promise<{
  readonly ask: (request: Request) => Promise<{ readonly status: number; readonly body: never }>;
  readonly end: () => void;
}> {
  const cluster = simulatedCluster(1, ["node-1"], () => ({
    "path.repo": "/repositories",
    "node.attr.zone": "zone-1",
  }));
  cluster.start("node-1");
  await cluster.until(() => cluster.isFormed(["node-1"]));
  return {
    ask: async ({ method, path, body }) => {
      const { status, text } = await cluster.ask("node-1", `${method} ${path}`, body);
      return { status, body: (/^[[{]/.test(text) ? JSON.parse(text) : text) as never };
    },
    end: () => cluster.simulation.end(),
  };
}

describe.each(families)("%s", (family) => {
  test("each row has an example, and each example a row", () => {
    const named = filesOf(family).map((file) => file.replace(/\.yaml$/, ""));
    expect(named).toEqual(rows[family]?.toSorted());
  });

  test.each(filesOf(family))("%s", async (file) => {
    const path = join(folder, family, file);
    const example = readExample(path);
    expect(example.shows, "what it shows").toMatch(/^[A-Z[`].*[.]$/s);
    expect(readFileSync(path, "utf8"), "the row").toContain(file.replace(/\.yaml$/, ""));
    const node = await freshNode();
    try {
      for (const request of preparations(example)) {
        const { status, body } = await node.ask(request);
        expect(status, JSON.stringify(body)).toBe(200);
        expect(body).not.toMatchObject({ errors: true });
      }
      const kept = new Map<string, Json>();
      for (const exchange of example.exchanges) {
        const request = requestOf(exchange, kept);
        const answered = await node.ask(request);
        for (const [name, value] of keptOf(exchange, answered)) kept.set(name, value);
        const found = differences(exchange, answered);
        expect(found, `${request.method} ${request.path} ${request.body}`).toEqual([]);
      }
    } finally {
      node.end();
    }
  });
});
