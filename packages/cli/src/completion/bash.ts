/** Completion script for bash. */
import type { Completed, CompletedOption, Grammar } from "./grammar.ts";

/** Script of functions whose tables are `case` commands; a word is compared with what was typed by `compgen`. */
export function bashScript(grammar: Grammar): string {
  const values = grammar.flatMap(({ word, options, verbs }) => [
    ...valueCases(word, options),
    ...verbs.flatMap((verb) => valueCases(word, verb.options)),
  ]);
  const options = grammar.flatMap(({ word, options: own, verbs }) => [
    ...verbs.map((verb) =>
      caseOf(`"${word} ${verb.word}"`, words([...namesOf(verb.options), ...namesOf(own)])),
    ),
    caseOf(`"${word} "*`, words(namesOf(own))),
  ]);
  const args = grammar.map(({ word, args: one }) => caseOf(word, actionOf(one)));
  const withVerbs = grammar.flatMap(({ word, verbs }) => (verbs.length === 0 ? [] : [word]));
  return [
    "# Completion of orrery for bash: source <(orrery completion bash)",
    ...helpers,
    "_orrery() {",
    "  local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} verb= i",
    "  COMPREPLY=()",
    "  if ((COMP_CWORD == 1)); then",
    `    ${words([...grammar.map(({ word }) => word), "--help", "--version"])}`,
    "    return",
    "  fi",
    '  case "$command ${COMP_WORDS[COMP_CWORD-1]}" in',
    ...new Set(values),
    "  esac",
    "  for ((i = 2; i < COMP_CWORD; i++)); do",
    "    if [[ ${COMP_WORDS[i]} != -* ]]; then verb=${COMP_WORDS[i]}; break; fi",
    "  done",
    "  if [[ $cur == -* ]]; then",
    '    case "$command $verb" in',
    ...options.map((line) => `  ${line}`),
    "    esac",
    "    return",
    "  fi",
    ...withVerbs.map((word) => `  [[ $command == ${word} && -n $verb ]] && return`),
    '  case "$command" in',
    ...args,
    "  esac",
    "}",
    "complete -F _orrery orrery",
    "",
  ].join("\n");
}

const helpers: readonly string[] = [
  "_orrery_words() {",
  '  COMPREPLY=($(compgen -W "$*" -- "$cur"))',
  "}",
  "# File names that match one of the patterns, and folders.",
  "_orrery_files() {",
  "  local name pattern IFS=$'\\n'",
  "  compopt -o filenames 2>/dev/null",
  '  for name in $(compgen -f -- "$cur"); do',
  '    if [[ -d $name ]]; then COMPREPLY+=("$name"); continue; fi',
  '    for pattern in "$@"; do [[ $name == $pattern ]] && COMPREPLY+=("$name"); done',
  "  done",
  "}",
];

function valueCases(command: string, options: readonly CompletedOption[]): readonly string[] {
  return options.flatMap(({ names, value }) =>
    value === undefined
      ? []
      : [
          caseOf(
            names.map((name) => `"${command} ${name}"`).join("|"),
            `${actionOf(value)}; return`,
          ),
        ],
  );
}

function caseOf(pattern: string, action: string): string {
  return `    ${pattern}) ${action} ;;`;
}

function actionOf(completed: Completed): string {
  switch (completed.kind) {
    case "words":
      return words(completed.words.map(({ word }) => word));
    case "files": {
      const { extensions } = completed;
      const patterns = extensions.length === 0 ? ["*"] : extensions.map((one) => `*.${one}`);
      return `_orrery_files ${patterns.map((pattern) => `'${pattern}'`).join(" ")}`;
    }
    case "folders":
      return "_orrery_files";
    case "nothing":
      return ":";
  }
}

function words(all: readonly string[]): string {
  return `_orrery_words ${[...new Set(all)].join(" ")}`;
}

function namesOf(options: readonly CompletedOption[]): readonly string[] {
  return options.flatMap(({ names }) => names);
}
