/** `orrery completion SHELL`: prints a script that completes commands, options and values, made from the table of help texts. */
import { similar } from "@orrery/stdx";
import { UsageError } from "../usage.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { grammar, type Grammar } from "./grammar.ts";
import { shellNames, type ShellName } from "./shells.ts";
import { zshScript } from "./zsh.ts";

const scripts: Readonly<Record<ShellName, (grammar: Grammar) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export async function completion(args: readonly string[]): Promise<number> {
  const [shell, ...rest] = args;
  if (shell === undefined || rest.length > 0)
    throw new UsageError(`expected [orrery completion ${shellNames.join("|")}]`);
  process.stdout.write(completionScript(shell));
  return 0;
}

/** Script for a shell. Throws `UsageError` for an unknown one. */
export function completionScript(shell: string): string {
  const known = shellNames.find((name) => name === shell);
  if (known !== undefined) return scripts[known](grammar());
  const [near] = similar(shell, shellNames);
  const hint =
    near === undefined
      ? `: expected one of [${shellNames.join(", ")}]`
      : ` -> did you mean [${near}]?`;
  throw new UsageError(`unknown shell [${shell}]${hint}`);
}
