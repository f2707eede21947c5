/** Settings files in the product's format. */
import { describe, expect, test } from "vitest";
import { settingsOfYml } from "../src/serve/opensearch-yml.ts";

const read = (text: string, environment: Record<string, string> = {}) =>
  settingsOfYml("opensearch.yml", text, environment);

describe("opensearch.yml", () => {
  test("has settings nested or with dots, lists, and keys without a value", () => {
    const text = `
cluster.name: books
node:
  name: node-1
  attr.zone: a
discovery.seed_hosts: ["10.0.0.1", 10.0.0.2]
bootstrap.memory_lock: true
http.port: 9250
path.logs:
`;

    expect(read(text)).toEqual({
      "cluster.name": "books",
      "node.name": "node-1",
      "node.attr.zone": "a",
      "discovery.seed_hosts": ["10.0.0.1", "10.0.0.2"],
      "bootstrap.memory_lock": "true",
      "http.port": "9250",
    });
  });

  test("may be empty, or comments alone", () => {
    expect(read("")).toEqual({});
    expect(read("# cluster.name: books\n")).toEqual({});
  });

  test("has the values of variables, or their defaults", () => {
    const text = "node.name: ${HOST}-1\nnode.attr.zone: ${ZONE:a}\n";

    expect(read(text, { HOST: "web" })).toEqual({ "node.name": "web-1", "node.attr.zone": "a" });
    expect(() => read(text)).toThrow(
      "opensearch.yml: the setting [node.name] names the variable [HOST], which is not set",
    );
  });

  test("takes names of built-in members as settings", () => {
    expect(Object.keys(read("constructor: a\n__proto__: b\n"))).toEqual([
      "constructor",
      "__proto__",
    ]);
  });

  test.each([
    ["a: [1\n", /^opensearch\.yml:\d+:\d+: /],
    ["a: 1\na: 2\n", /^opensearch\.yml:2:1: Map keys must be unique$/],
    ["a.b: 1\na:\n  b: 2\n", "opensearch.yml: the setting [a.b] is there twice"],
    ["- a\n", "opensearch.yml: settings must be an object"],
    ["a: [{ b: 1 }]\n", "opensearch.yml: the setting [a] must be text, or a list of texts"],
  ])("is rejected where it is no list of settings: %j", (text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });
});
