/** `orrery fault VERB --help`: each verb and fault is described, and its example is one that the control port accepts. */
import { faultHelp } from "@orrery/scenario";
import { expect, test } from "vitest";
import { exampleOf, faultVerbs } from "../src/fault-help.ts";
import { run } from "./command.ts";

const kinds = faultHelp().map(({ kind }) => kind);

test.each([...new Set([...faultVerbs.map(({ verb }) => verb), ...kinds])])(
  "the help of [%s] fits on a screen of 100 columns",
  async (verb) => {
    const { code, out } = await run("fault", verb, "--help");

    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: orrery fault ${verb}\\b`));
    expect(out.split("\n").filter((line) => line.length > 100)).toEqual([]);
  },
);

test("a fault is described with its keys, their defaults and an example", async () => {
  const { out } = await run("help", "fault", "disk-slow");

  expect(out).toMatch(/^Usage: orrery fault disk-slow --node NODE \[options\]$/m);
  expect(out).toMatch(/^ +--node NODE /m);
  expect(out).toMatch(/^ +--for TIME /m);
  expect(out).toMatch(/^ +orrery fault disk-slow --node node-2 .*--for 10s --control 9400$/m);
});

test.each(faultHelp().map((row) => [row.kind, row] as const))(
  "the example of [%s] names each key that is required, and no other that does not exist",
  (_, row) => {
    const words = exampleOf(row).split(" ").slice(3, -2);
    const named = words.filter((word) => word.startsWith("--") && word !== "--for");
    const keyOf = (name: string): string => `--${name.replaceAll("_", "-")}`;

    expect(named).toEqual(
      expect.arrayContaining(
        row.keys.flatMap(({ name, isRequired }) => (isRequired ? [keyOf(name)] : [])),
      ),
    );
    expect(row.keys.map(({ name }) => keyOf(name))).toEqual(expect.arrayContaining(named));
  },
);

test("a verb that does not exist is a sentence with the nearest one", async () => {
  expect(await run("fault", "partion", "--help")).toMatchObject({
    code: 2,
    err: "orrery: unknown fault [partion] -> did you mean [partition]?\n",
  });
});
