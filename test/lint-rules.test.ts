/** The house rules: what they refuse, and what they let pass. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageNames, root } from "./repository.ts";

const REFUSED = [
  "export function a(t: Record<string, number>, k: string) { return t[k]; }",
  "export function a(t: Readonly<Record<string, number>>) { return (k: string) => t[k]; }",
  "export function a(t: { readonly [key: string]: number }, { k }: { k: string }) { return t[k]; }",
  "const T = { one: 1 }; export const a = (k: keyof typeof T) => T[k];",
  "export function a(k: string) { const t: { [k: string]: 1 } = {}; t[k] = 1; return t; }",
  "export function a(k: string) { const t = {} as any; t[k] = 1; return t; }",
  "export function a(t: Other, k: string) { return t.inner?.[k]; }",
  "export function a(t: Other, k: string) { return t[`${k}.x`]; }",
  "export function a(t: Other, k: Name) { return t['x.' + k]; }",
  "export function a(t: Other, k: string) { return k in t; }",
  "export function a(t: Other, u: Other) { for (const k of Object.keys(u)) t[k] = 1; }",
  "export function a(t: Other, u: Other) { for (const [k, v] of Object.entries(u)) t[k] = v; }",
  "export function a(t: Other, u: Other) { for (const k in u) t[k] = 1; }",
  "export function a(t: Other, u: Other) { return Object.keys(u).filter(Boolean).map((k) => t[k]); }",
  "export function a(t: Other, u: Other) { return Object.entries(u).every(([k]) => t[k]); }",
  "export function a(t: Other, n: Other) { return t[n.name.toLowerCase()]; }",
  "export function a(t: Other, u: Other) { let k = 'x'; k = u.name; return t[k as string]; }",
  "export function a(t: Other[]) { return Object.assign({}, ...t); }",
];

const ALLOWED = [
  "export function a(t: number[], i: number) { return t[i]; }",
  "export function a(t: Other) { for (let i = 0; i < t.length; i += 1) t[i] = t[i + 1]; }",
  "export function a(t: Record<string, number>) { return t['one']; }",
  "const KEY = 'one'; export function a(t: Record<string, number>) { return t[KEY]; }",
  "export function a(t: Other) { return 'one' in t; }",
  "export function a(t: Record<Name, number>, k: Name) { return t[k]; }",
  "export function a(t: Map<string, number>, k: string) { return t.get(k); }",
  "export function a(t: Record<string, number>, k: string) { return lookup(t, k); }",
  "export function a(t: Other, k: string) { return { ...t, [k]: 1 }; }",
  "export function a(t: Other, k: string) { delete t[k]; }",
  "export function a(t: Other, k: string) { return t[k]; } // oxlint-disable-line orrery/client-keys -- told why",
];

const SPREADS_REFUSED = [
  "export function a(t: number[], u: number[]) { t.push(...u); }",
  "export function a(t: number[], u: number[]) { t.push(1, ...u, 2); }",
  "export function a(t: Other, u: Other) { t.inner?.list.unshift(...u.map(Number)); }",
  "export function a(t: number[][]) { return new Array<number>().concat(...t); }",
  "export function a(t: number[], u: number[]) { t.splice(0, 1, ...u); }",
  "export function a(t: number[]) { return Math.max(0, ...t) - Math.min(...t); }",
  "export function a(t: Uint8Array) { return String.fromCharCode(...t); }",
  "export function a(t: Uint8Array) { return String.fromCodePoint(...t); }",
  "export function a(t: number[]) { return Uint8Array.of(1, ...t); }",
  "export function a(t: number[]) { return new Array(...t); }",
  "export function a(f: Other, t: number[]) { return f(...t); }",
  "export function a(f: Other, t: number[]) { return f(...[1, ...t]); }",
  "export function a(t: number[], isIt: boolean) { return Math.max(...(isIt ? [1] : t)); }",
  "export function a(t: number[], u: number[]) { t.push.apply(t, u); }",
  "export function a(t: Uint8Array) { return String.fromCharCode.apply(undefined, t as any); }",
  "export function a(f: Other, t: number[]) { return Reflect.apply(f, undefined, t); }",
];

const SPREADS_ALLOWED = [
  "export function a(t: number[], u: number[]) { return [...t, ...u]; }",
  "export function a(t: number[]) { return new Set([...t, 1]); }",
  "export function a(t: Other) { return { ...t, one: 1 }; }",
  "export function a(t: Promise<1>[]) { return Promise.all([...t]); }",
  "export function a(f: Other, b: Other) { return f(...[1, b], ...([2, 3] as const)); }",
  "export function a(t: string[], isIt: boolean) { t.push(...(isIt ? ['a', 'b'] : ['c'])); }",
  "export function a(t: string[], isIt: boolean) { t.push(...[...(isIt ? ['a'] : []), 'b']); }",
  "export function a(t: Other, index: number) { return t.log.apply({ index }); }",
  "export function a(t: number[]) { t.push(...t); } // oxlint-disable-line orrery/spread-arguments -- told why",
];

const GENERATORS_REFUSED = [
  "export function a(t: number[]) { return function* () { yield* t; }; }",
  "export const a = (t: number[]) => ({ *each() { yield* t; } });",
  "export function a(t: number[]) { function* each() { yield* t; } return each(); }",
  "export const a = (t: number[]) => { const each = async function* () { yield* t; }; return each; };",
  "export class A { each(t: number[]) { return function* () { yield* t; }; } }",
  "export function a(t: number) { return class { readonly t = t; }; }",
  "export const a = (t: number) => { class A { readonly t = t; } return new A(); };",
];

const GENERATORS_ALLOWED = [
  "export function* a(t: number[]) { yield* t; }",
  "export const a = function* (t: number[]) { yield* t; };",
  "export const a = { *each(t: number[]) { yield* t; } };",
  "export class A { *each(t: number[]) { yield* t; } }",
  "function* each(t: number[]) { yield* t; } export const a = (t: number[]) => each(t);",
  "export const a = () => class {}; // oxlint-disable-line orrery/inner-generators -- told why",
];

const lines = (count: number): string => "  f();\n".repeat(count);
const LONG_REFUSED = [
  `export function a(f: () => void) {\n${lines(119)}}`,
  `export const a = (f: () => void) => {\n${lines(119)}};`,
  `export class A {\n  a(f: () => void) {\n${lines(119)}  }\n}`,
  `export function a(f: () => void) {\n${"\n// a comment counts\n".repeat(60)}  f();\n}`,
];

const LONG_ALLOWED = [
  `export function a(f: () => void) {\n${lines(118)}}`,
  `export const A = {\n${"  b: 1,\n".repeat(200)}};`,
];

/** How many functions of `packages/*\/src` have more than 60 lines without comments. When there are fewer, this is the new number. */
const LONG_FUNCTIONS_MOST = 105;

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lint-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Diagnostic {
  readonly filename: string;
  readonly message: string;
}

function diagnosticsOf(config: string, sources: readonly string[]): readonly Diagnostic[] {
  const program = join(root, "node_modules/.bin/oxlint");
  const { stdout } = spawnSync(program, ["-c", config, "-f", "json", ...sources], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return (JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] }).diagnostics;
}

/** The samples in which the rule finds something. */
function refused(rule: string, samples: readonly string[]): string[] {
  const sources = mkdtempSync(join(folder, "sources-"));
  for (const [i, sample] of samples.entries()) writeFileSync(join(sources, `${i}.ts`), sample);
  const config = join(folder, "config.json");
  const jsPlugins = [join(root, "scripts/lint/rules.mjs")];
  const rules = { [rule]: "error" };
  writeFileSync(config, JSON.stringify({ jsPlugins, categories: { correctness: "off" }, rules }));
  const diagnostics = diagnosticsOf(config, [sources]);
  const files = new Set(diagnostics.map(({ filename }) => basename(filename, ".ts")));
  return samples.filter((_, i) => files.has(String(i)));
}

test("a record that is asked or set by a text that is not written out is refused", () => {
  expect(refused("orrery/client-keys", REFUSED)).toEqual(REFUSED);
});

test("lists, maps, written names, closed sets and told exceptions pass", () => {
  expect(refused("orrery/client-keys", ALLOWED)).toEqual([]);
});

test("a list that is spread into the arguments of a call is refused", () => {
  expect(refused("orrery/spread-arguments", SPREADS_REFUSED)).toEqual(SPREADS_REFUSED);
});

test("items that are written out, spreads into lists and objects, and told exceptions pass", () => {
  expect(refused("orrery/spread-arguments", SPREADS_ALLOWED)).toEqual([]);
});

test("generator functions and classes that are made for each call are refused", () => {
  expect(refused("orrery/inner-generators", GENERATORS_REFUSED)).toEqual(GENERATORS_REFUSED);
});

test("generator functions and classes of a module, and told exceptions pass", () => {
  expect(refused("orrery/inner-generators", GENERATORS_ALLOWED)).toEqual([]);
});

test("functions of more than 120 lines are refused", () => {
  expect(refused("orrery/function-length", LONG_REFUSED)).toEqual(LONG_REFUSED);
});

test("functions of 120 lines, and long tables, pass", () => {
  expect(refused("orrery/function-length", LONG_ALLOWED)).toEqual([]);
});

test("there are no more functions of more than 60 lines than there were", () => {
  const config = join(folder, "lengths.json");
  const limit = { max: 60, skipBlankLines: false, skipComments: true };
  const rules = { "max-lines-per-function": ["warn", limit] };
  writeFileSync(config, JSON.stringify({ categories: { correctness: "off" }, rules }));
  const sources = packageNames.map((name) => join(root, "packages", name, "src"));

  const found = diagnosticsOf(config, sources).map(({ filename, message }) => filename + message);

  expect(found.length, found.join("\n")).toBeLessThanOrEqual(LONG_FUNCTIONS_MOST);
});
