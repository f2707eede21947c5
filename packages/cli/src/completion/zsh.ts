/** Completion script for zsh: a function that shows words with their meanings. */
import type { Completed, CompletedOption, Grammar, Word } from "./grammar.ts";

export function zshScript(grammar: Grammar): string {
  const commands: readonly Word[] = grammar;
  return [
    "#compdef orrery",
    "# Completion of orrery for zsh: a file _orrery of a folder of fpath, or source <(orrery completion zsh)",
    "_orrery() {",
    "  local command=$words[2] previous=$words[CURRENT-1] verb= word",
    "  if (( CURRENT == 2 )); then",
    `    ${described("command", commands)}`,
    "    return",
    "  fi",
    '  case "$command $previous" in',
    ...new Set(
      grammar.flatMap(({ word, options, verbs }) =>
        [...options, ...verbs.flatMap((verb) => verb.options)].flatMap((option) =>
          valueCase(word, option),
        ),
      ),
    ),
    "  esac",
    "  for word in ${words[3,CURRENT-1]}; do",
    "    if [[ $word != -* ]]; then verb=$word; break; fi",
    "  done",
    "  if [[ $words[CURRENT] == -* ]]; then",
    '    case "$command $verb" in',
    ...grammar.flatMap(({ word, options, verbs }) => [
      ...verbs.map((verb) =>
        caseOf(`"${word} ${verb.word}"`, optionsOf([...verb.options, ...options])),
      ),
      caseOf(`"${word} "*`, optionsOf(options)),
    ]),
    "    esac",
    "    return",
    "  fi",
    ...grammar.flatMap(({ word, verbs }) =>
      verbs.length === 0 ? [] : [`  [[ $command == ${word} && -n $verb ]] && return`],
    ),
    '  case "$command" in',
    ...grammar.map(({ word, args }) => caseOf(word, actionOf(args))),
    "  esac",
    "}",
    'if [[ $funcstack[1] == _orrery ]]; then _orrery "$@"; else compdef _orrery orrery; fi',
    "",
  ].join("\n");
}

function valueCase(command: string, { names, value }: CompletedOption): readonly string[] {
  if (value === undefined) return [];
  const pattern = names.map((name) => `"${command} ${name}"`).join("|");
  return [caseOf(pattern, `${actionOf(value)}; return`)];
}

function caseOf(pattern: string, action: string): string {
  return `    ${pattern}) ${action} ;;`;
}

function optionsOf(options: readonly CompletedOption[]): string {
  const words = options.flatMap(({ names, says }) => names.map((word) => ({ word, says })));
  return described("option", words);
}

function actionOf(completed: Completed): string {
  switch (completed.kind) {
    case "words":
      return described("value", completed.words);
    case "files":
      return completed.extensions.length === 0
        ? "_files"
        : `_files -g '*.(${completed.extensions.join("|")})'`;
    case "folders":
      return "_files -/";
    case "nothing":
      return ":";
  }
}

/** Command that offers words; a colon separates a word from its meaning. */
function described(tag: string, words: readonly Word[]): string {
  const items = words.map(({ word, says }) => quoted(says === "" ? word : `${word}:${says}`));
  return `local -a offered=(${items.join(" ")}); _describe ${tag} offered`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
