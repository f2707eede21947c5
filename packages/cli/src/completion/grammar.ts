/** The command line as a shell completes it: commands, their options, and the values of both. */
import { traceFormats } from "@orrery/bundle";
import { areas, eventKindNames, faultHelp, selectorNames, worldNames } from "@orrery/scenario";
import { faultVerbs } from "../fault-help.ts";
import { commandNames, rowOf, type Completes, type OptionRow } from "../help.ts";
import { transportNames } from "../transports.ts";
import { shellNames } from "./shells.ts";

/** Word with its meaning, which shells show beside it. */
export interface Word {
  readonly word: string;
  readonly says: string;
}

/** Completion of a word: file names, or words. */
export type Completed =
  | { readonly kind: "files"; readonly extensions: readonly string[] }
  | { readonly kind: "folders" }
  | { readonly kind: "words"; readonly words: readonly Word[] }
  | { readonly kind: "nothing" };

export interface CompletedOption {
  /** Names with their dashes: `-o`, `--output`. */
  readonly names: readonly string[];
  readonly says: string;
  /** Value; `undefined`: the option takes none. */
  readonly value: Completed | undefined;
}

export interface CompletedCommand extends Word {
  readonly options: readonly CompletedOption[];
  readonly args: Completed;
  /** Words after which other options apply, such as the verbs of `fault`. */
  readonly verbs: readonly (Word & { readonly options: readonly CompletedOption[] })[];
}

export type Grammar = readonly CompletedCommand[];

export function grammar(): Grammar {
  return [
    ...commandNames.map((name): CompletedCommand => {
      const { says, options, completes } = rowOf(name);
      return {
        word: name,
        says,
        options: [...options.flatMap(optionOf), helpOption],
        args: completes === undefined ? nothing : values[completes](),
        verbs: name === "fault" ? faultWords() : [],
      };
    }),
    { word: "help", says: "describes a command", options: [], args: values.command(), verbs: [] },
  ];
}

const nothing: Completed = { kind: "nothing" };
const helpOption: CompletedOption = {
  names: ["--help"],
  says: "describes the command",
  value: undefined,
};

const values: Readonly<Record<Completes, () => Completed>> = {
  file: () => ({ kind: "files", extensions: [] }),
  folder: () => ({ kind: "folders" }),
  scenario: () => ({ kind: "files", extensions: ["yaml", "yml", "json"] }),
  transport: () => wordsOf(transportNames),
  world: () => wordsOf(worldNames),
  area: () => wordsOf(areas),
  "event-kind": () => wordsOf(eventKindNames),
  "trace-format": () => wordsOf(traceFormats),
  shell: () => wordsOf(shellNames),
  fault: () => ({ kind: "words", words: faultWords() }),
  "node-verb": () => wordsOf(["start", "inspect", "repair"]),
  command: () => ({
    kind: "words",
    words: commandNames.map((word) => ({ word, says: rowOf(word).says })),
  }),
};

function wordsOf(words: readonly string[]): Completed {
  return { kind: "words", words: words.map((word) => ({ word, says: "" })) };
}

/** Option of a row such as `-o, --output FILE`; a row of a verb has none, or has one that follows the verb. */
function optionOf([option, says, completes]: OptionRow): readonly CompletedOption[] {
  // Rows such as `KIND --key value` stand for options of other rows.
  if (/^[A-Z]{2}/.test(option)) return [];
  const names = [...option.matchAll(/(?<![\w-])(?:--[a-z][\w-]*|-[A-Za-z])(?![\w-])/g)];
  if (names.length === 0) return [];
  const rest = option.slice((names.at(-1)?.index ?? 0) + (names.at(-1)?.[0].length ?? 0)).trim();
  const value = completes === undefined ? nothing : values[completes]();
  return [{ names: names.map(([name]) => name), says, value: rest === "" ? undefined : value }];
}

function faultWords(): CompletedCommand["verbs"] {
  const verbs = faultVerbs.map(({ verb, says, options = [] }) => ({
    word: verb,
    says,
    options: options.flatMap(optionOf),
  }));
  const known = new Set(verbs.map(({ word }) => word));
  const kinds = faultHelp().flatMap(({ kind, says, keys }) => {
    if (known.has(kind)) return [];
    const options = keys.map(({ name, says: what, value }) => ({
      names: [`--${name.replaceAll("_", "-")}`],
      says: what,
      value: valueOfKey(value),
    }));
    return [{ word: kind, says, options }];
  });
  return [...verbs, ...kinds];
}

/** Value of a fault's key, from its form in words. */
function valueOfKey(form: string): Completed {
  if (/^node\b/.test(form)) return wordsOf(selectorNames);
  if (/^[\w-]+(, [\w-]+)+$/.test(form)) return wordsOf(form.split(", "));
  return form === "true or false" ? wordsOf(["true", "false"]) : nothing;
}
