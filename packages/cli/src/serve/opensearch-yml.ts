/** `opensearch.yml`: node settings in the product's file format, nested or with dots, with `${VARIABLE}` in values. */
import { readFileSync } from "node:fs";
import type { NodeConfig } from "@orrery/node";
import { lookup, setKey } from "@orrery/stdx";
import { LineCounter, parseDocument } from "yaml";
import { UsageError } from "../usage.ts";

type Settings = NodeConfig["settings"];
type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of a file. Throws `UsageError` if it cannot be read, or is no list of settings. */
export function readOpensearchYml(file: string, environment: Environment): Settings {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new UsageError(`there is no settings file [${file}]`);
    throw new UsageError(`the settings file [${file}] cannot be read: ${message}`);
  }
  return settingsOfYml(file, text, environment);
}

/** Settings of a text; `file` denotes it in errors. */
export function settingsOfYml(file: string, text: string, environment: Environment): Settings {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    const [sentence = ""] = error.message.split(/ at line \d/);
    throw new UsageError(`${file}:${line}:${col}: ${sentence}`);
  }
  const settings: Record<string, string | readonly string[]> = {};
  const contents: unknown = document.toJS({ mapAsMap: true });
  if (contents === null || contents === undefined) return settings;
  if (!(contents instanceof Map)) throw new UsageError(`${file}: settings must be an object`);
  for (const [key, value] of flat(contents, "")) {
    if (lookup(settings, key) !== undefined)
      throw new UsageError(`${file}: the setting [${key}] is there twice`);
    setKey(settings, key, settingOf(file, key, value, environment));
  }
  return settings;
}

/** Settings with their dotted names; a key without a value is none. */
function flat(map: ReadonlyMap<unknown, unknown>, prefix: string): (readonly [string, unknown])[] {
  return [...map].flatMap(([key, value]) => {
    const name = `${prefix}${String(key)}`;
    if (value === null || value === undefined) return [];
    return value instanceof Map ? flat(value, `${name}.`) : [[name, value] as const];
  });
}

function settingOf(
  file: string,
  key: string,
  value: unknown,
  environment: Environment,
): string | readonly string[] {
  const textOf = (item: unknown): string => {
    if (typeof item === "object")
      throw new UsageError(`${file}: the setting [${key}] must be text, or a list of texts`);
    return withVariables(file, key, String(item), environment);
  };
  return Array.isArray(value) ? value.map(textOf) : textOf(value);
}

/** Text with the values of its placeholders: `${NAME}`, or `${NAME:default}`. */
function withVariables(file: string, key: string, text: string, environment: Environment): string {
  return text.replaceAll(
    /\$\{([^}:]*)(?::([^}]*))?\}/g,
    (_, name: string, fallback: string | undefined) => {
      const value = lookup(environment, name) ?? fallback;
      if (value !== undefined) return value;
      throw new UsageError(
        `${file}: the setting [${key}] names the variable [${name}], which is not set`,
      );
    },
  );
}
