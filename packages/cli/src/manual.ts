/** Manual pages, generated from the help of each command (`npm run reference`): `orrery.1`, and `orrery-COMMAND.1`. */
import { commandNames, groupNames, groupOf, rowOf, type CommandName } from "./help.ts";

/** Pages by file name. */
export function manualPages(): ReadonlyMap<string, string> {
  return new Map([
    ["orrery.1", mainPage()],
    ...commandNames.map((name) => [`orrery-${name}.1`, commandPage(name)] as const),
  ]);
}

function mainPage(): string {
  const groups = groupNames.flatMap((group) => [
    ...section(group),
    ...commandNames.flatMap((name) =>
      groupOf(name) === group
        ? [".TP", `.B orrery ${escaped(name)}`, escaped(sentence(rowOf(name).says))]
        : [],
    ),
  ]);
  return page("ORRERY", [
    ...section("NAME"),
    "orrery \\- OpenSearch\\-compatible search clusters, and simulations of them",
    ...section("SYNOPSIS"),
    ".B orrery",
    ".I COMMAND",
    "[options]",
    ...groups,
    ...exitStatus("0 done, 1 failed, 2 bad input"),
    ...section("FILES"),
    ".TP",
    ".B orrery.yml",
    "settings of orrery up; see",
    ".BR orrery\\-config (1).",
    ...section("SEE ALSO"),
    commandNames.map((name) => `.BR orrery\\-${escaped(name)} (1)`).join(",\n"),
  ]);
}

function commandPage(name: CommandName): string {
  const { usage, says, options, examples = [], exit } = rowOf(name);
  const rows = options.flatMap(([option, meaning]) => [
    ".TP",
    `.B ${escaped(option)}`,
    escaped(meaning),
  ]);
  return page(`ORRERY-${name.toUpperCase()}`, [
    ...section("NAME"),
    `orrery\\-${escaped(name)} \\- ${escaped(says)}`,
    ...section("SYNOPSIS"),
    `.B ${escaped(usage)}`,
    ...(rows.length === 0 ? [] : [...section("OPTIONS"), ...rows]),
    ...(examples.length === 0
      ? []
      : [...section("EXAMPLES"), ".nf", ...examples.map(escaped), ".fi"]),
    ...exitStatus(exit ?? "0 done, 1 failed, 2 bad input"),
    ...section("SEE ALSO"),
    ".BR orrery (1)",
  ]);
}

function page(title: string, lines: readonly string[]): string {
  return [`.TH ${title} 1`, ...lines, ""].join("\n");
}

function section(title: string): readonly string[] {
  return [`.SH ${title.toUpperCase()}`];
}

function exitStatus(exit: string): readonly string[] {
  return [...section("EXIT STATUS"), escaped(sentence(exit))];
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}.`;
}

/** Text without meaning for the formatter: backslashes, dashes, and a dot or quote at the start of a line. */
function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/, "\\&$1");
}
