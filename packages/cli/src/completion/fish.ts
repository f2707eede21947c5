/** Completion script for fish: a `complete` command for each word and option. */
import type { Completed, CompletedOption, Grammar } from "./grammar.ts";

export function fishScript(grammar: Grammar): string {
  const lines = grammar.flatMap(({ word, says, options, args, verbs }) => {
    const isHere = `__fish_seen_subcommand_from ${word}`;
    const isVerbMissing =
      verbs.length === 0
        ? isHere
        : `${isHere}; and not __fish_seen_subcommand_from ${verbs.map((verb) => verb.word).join(" ")}`;
    return [
      `complete -c orrery -n __fish_use_subcommand -a ${word} -d ${quoted(says)}`,
      ...argumentsOf(isVerbMissing, args),
      ...options.map((option) => optionOf(isHere, option)),
      ...verbs.flatMap((verb) =>
        verb.options.map((option) =>
          optionOf(`${isHere}; and __fish_seen_subcommand_from ${verb.word}`, option),
        ),
      ),
    ];
  });
  return [
    "# Completion of orrery for fish: orrery completion fish > ~/.config/fish/completions/orrery.fish",
    "complete -c orrery -e",
    "complete -c orrery -f",
    ...lines,
    "",
  ].join("\n");
}

function argumentsOf(condition: string, args: Completed): readonly string[] {
  const start = `complete -c orrery -n ${quoted(condition)}`;
  switch (args.kind) {
    case "words":
      return args.words.map(({ word, says }) =>
        says === "" ? `${start} -a ${word}` : `${start} -a ${word} -d ${quoted(says)}`,
      );
    case "files":
    case "folders":
      return [`${start} ${valueOf(args)}`];
    case "nothing":
      return [];
  }
}

function optionOf(condition: string, { names, says, value }: CompletedOption): string {
  const flags = names.map((name) =>
    name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  const more = value === undefined ? "" : ` -x ${valueOf(value)}`.trimEnd();
  return `complete -c orrery -n ${quoted(condition)} ${flags.join(" ")} -d ${quoted(says)}${more}`;
}

function valueOf(value: Completed): string {
  switch (value.kind) {
    case "words":
      return `-a ${quoted(value.words.map(({ word }) => word).join(" "))}`;
    case "files":
      return value.extensions.length === 0
        ? `-a '(__fish_complete_path)'`
        : `-a '(__fish_complete_path | string match -r ".*(?:/|[.](?:${value.extensions.join("|")}))(?:\\t.*)?\\$")'`;
    case "folders":
      return "-a '(__fish_complete_directories)'";
    case "nothing":
      return "";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
