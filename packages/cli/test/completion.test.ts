/** Completion scripts, asked by the shells that they are for; a shell that is not installed is skipped. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completionScript } from "../src/completion/completion.ts";
import { shellNames, type ShellName } from "../src/completion/shells.ts";
import { commandNames } from "../src/help.ts";
import { run } from "./command.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-cli-"));
  for (const shell of shellNames) writeFileSync(join(folder, shell), completionScript(shell));
  for (const name of ["crash.yaml", "crash.bundle"]) writeFileSync(join(folder, name), "");
  mkdirSync(join(folder, "cases"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Programs that print what the shell offers for `$1`…, the words of a command line. */
const programs: Readonly<Record<ShellName, readonly string[]>> = {
  bash: [
    "-c",
    'source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _orrery; printf "%s\\n" "${COMPREPLY[@]}"',
    "bash",
  ],
  // The functions of the completion system are replaced: they draw on a terminal.
  zsh: [
    "-f",
    "-c",
    'compdef() {}; _describe() { local name=$2; print -l -- ${${(P)name}%%:*} }; _files() { if [[ $1 == -g ]]; then print -l ${~2}(N) *(/N); elif [[ $1 == -/ ]]; then print -l *(/N); else print -l *(N); fi }; source ./zsh; words=("$@") CURRENT=$#; _orrery',
    "zsh",
  ],
  fish: [
    "--no-config",
    "-c",
    'source ./fish; complete -C (string join " " -- $argv) | string replace -r "\\t.*" ""',
    "--",
  ],
};

function offered(shell: ShellName, words: readonly string[]): readonly string[] {
  const { stdout, stderr } = spawnSync(shell, [...programs[shell], ...words], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const last = words.at(-1) ?? "";
  const lines = stdout.split("\n").map((line) => line.replace(/\/$/, ""));
  return lines.filter((line) => line !== "" && line.startsWith(last)).toSorted();
}

describe.each(shellNames)("%s", (shell) => {
  const isThere = spawnSync(shell, ["--version"]).status === 0;

  test.skipIf(!isThere).each([
    [["s"], ["serve", "shrink", "sweep"]],
    [["up", "--transp"], ["--transport"]],
    [
      ["up", "--transport", ""],
      ["grpc", "memory", "websocket"],
    ],
    [["run", "x.yaml", "--world", "s"], ["sim"]],
    [["explore", "--area", "dec"], ["decommission"]],
    [["fault", "half"], ["half-open"]],
    [
      ["fault", "delay", "--h"],
      ["--help", "--high"],
    ],
    [["fault", "partition", "--one"], ["--one-way"]],
    [["node", "re"], ["repair"]],
    [
      ["completion", ""],
      ["bash", "fish", "zsh"],
    ],
    [["help", "val"], ["validate"]],
    [
      ["run", "c"],
      ["cases", "crash.yaml"],
    ],
    [
      ["replay", "c"],
      ["cases", "crash.bundle", "crash.yaml"],
    ],
    [["up", "--data", "c"], ["cases"]],
  ])("offers after %j: %j", (words, expected) => {
    expect(offered(shell, ["orrery", ...words])).toEqual(expected);
  });

  test.skipIf(!isThere)("offers every command", () => {
    expect(offered(shell, ["orrery", ""])).toEqual(expect.arrayContaining([...commandNames]));
  });
});

test("a shell without a script is a sentence", async () => {
  expect(await run("completion", "fissh")).toMatchObject({
    code: 2,
    err: "orrery: unknown shell [fissh] -> did you mean [fish]?\n",
  });
  expect(await run("completion")).toMatchObject({
    code: 2,
    err: "orrery: expected [orrery completion bash|zsh|fish]\n",
  });
});
