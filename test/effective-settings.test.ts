/** Node settings have the effect that their rows claim, as far as sources tell: the key of one with an effect is read somewhere. */
import { describe, expect, test } from "vitest";
import { product } from "../packages/cli/src/product.ts";
import type { Setting } from "../packages/cluster-state/src/settings/setting.ts";
import { settingsReference } from "../packages/cluster-state/src/settings/reference.ts";
import { filesBelow, read } from "./repository.ts";

/** Files of tables and of checks, in which a key stands without being read. */
const TABLES = /\/settings\/(?:\w+-)+settings\.ts$|\/settings\/(?:choices|table|registry)\.ts$/;
const READERS = /\/settings\/(?:script|node)-settings\.ts$|plugin-[\w-]+\/src\/settings\.ts$/;

const sources = filesBelow("packages", ".ts")
  .filter((file) => file.includes("/src/") && !/^packages\/(?:fuzz|scenario)\//.test(file))
  .filter((file) => READERS.test(file) || !TABLES.test(file))
  .map((file) => ({ file, code: withoutComments(read(file)) }));

const { cluster, nodeOnly } = product.rules.settings;
const settings = [...cluster.byKey.values(), ...nodeOnly.byKey.values()];

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
}

/** True if a file has the key, or two parts of it: `"cluster.remote."` and `"seeds"`, `` `${prefix}.interval` ``. */
function isRead({ key }: Setting): boolean {
  const parts = key.split(/\.\*?\.?/).filter((part) => part !== "");
  const names = [key, ...parts.map((_, i) => parts.slice(i).join("."))];
  return sources.some(({ code }) => {
    if (new RegExp(`["\`]${RegExp.escape(key)}["\`]`).test(code)) return true;
    const [first = ""] = parts;
    return names.some(
      (name, i) =>
        i > 1 &&
        new RegExp(`["\`.}]${RegExp.escape(name)}["\`]`).test(code) &&
        code.includes(`${first}.`),
    );
  });
}

describe("a setting with an effect", () => {
  /** Ends of keys that are computed. */
  const computed = new Set([
    ...["script.allowed_contexts", "script.allowed_types"],
    ...["http", "transport", "network"].flatMap((layer) =>
      ["host", "bind_host", "publish_host"].map((name) => `${layer}.${name}`),
    ),
    ...["http.publish_port", "transport.publish_port"],
  ]);

  test.each(
    settings.filter(({ hasEffect, key }) => hasEffect && !computed.has(key)).map((one) => [one]),
  )("$key is read", (setting) => {
    expect(isRead(setting)).toBe(true);
  });
});

test("a setting without effect is read nowhere, but to be shown or set", () => {
  /** Files that name a key without following it, or that follow it for `orrery serve` alone. */
  const shown = new Map([
    ["client.type", "node/src/boot.ts"],
    ["http.type", "cluster.stats/nodes-section.ts"],
    ["transport.type", "cluster.stats/nodes-section.ts"],
    ["node.processors", "settings/node-settings.ts"],
    ["processors", ""],
    ["node.data", "cat.health/operation.ts"],
    ["path.data", "cat.shards/operation.ts|serve/serve.ts"],
    ["path.home", "cli/src/data-folder.ts"],
    ["path.logs", "cli/src/data-folder.ts"],
    ["pidfile", "serve/serve.ts"],
    ["http.type.default", "node/src/boot.ts"],
    ["transport.type.default", "node/src/boot.ts"],
    ["thread_pool.system_write.size", "settings/node-settings.ts"],
    ["plugins.replication.leader.thread_pool.size", "replication/src/settings.ts"],
    ["plugins.replication.leader.thread_pool.queue_size", "replication/src/settings.ts"],
  ]);
  const found = settings.flatMap(({ key, hasEffect }) => {
    if (hasEffect) return [];
    const quoted = [`"${key}"`, `\`${key}\``];
    const allowed = shown.get(key)?.split("|");
    return sources
      .filter(({ file }) => !(allowed ?? []).some((part) => file.includes(part)))
      .filter(({ code }) => quoted.some((text) => code.includes(text)))
      .map(({ file }) => `${key}: ${file}`);
  });

  expect(found).toEqual([]);
});

test("docs/reference/settings.md is what `npm run reference` makes", () => {
  expect(read("docs/reference/settings.md")).toBe(settingsReference(product.rules.settings));
});
