/**
 * Configuration of `orrery up`: options and node settings with their sources. Command line overrides environment,
 * environment overrides file; node settings are overridden one by one.
 */
import { existsSync } from "node:fs";
import { readOptions, settingsOf, type OptionTable, type ParsedOptions } from "../options.ts";
import { UsageError } from "../usage.ts";
import {
  readOption,
  type Given,
  type OptionValue,
  type Raw,
  type SettingValue,
} from "./given-value.ts";
import type { FileContents } from "./settings-file.ts";
import { upOptionNames, upOptions, variableOf, type UpOptionName } from "./up-options.ts";

export interface Configuration {
  /** The settings file, if there is one. */
  readonly file: string | undefined;
  /** Values that a source gives; defaults are not among them. */
  readonly options: ReadonlyMap<UpOptionName, Given<OptionValue>>;
  readonly settings: ReadonlyMap<string, Given<SettingValue>>;
  /** The command line, for options that only it can give. */
  readonly line: ParsedOptions;
}

/** Names under which a settings file is found in the current folder. */
const fileNames = ["orrery.yml", "orrery.yaml"] as const;

export const commandLine = "command line";

/** Reads the configuration; `table`: options that only the command line can give. Throws `UsageError` or `OperationError`. */
export async function readConfiguration(
  args: readonly string[],
  table: OptionTable,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Configuration> {
  const values = upOptionNames.map((name) => [name, { type: "string" }] as const);
  const line = readOptions(args, {
    ...Object.fromEntries(values),
    config: { type: "string" },
    setting: { type: "string", short: "E", multiple: true },
    ...table,
  });
  if (line.positionals.length > 0)
    throw new UsageError(`unexpected argument [${line.positionals[0]}]`);
  const file = line.text("config") ?? textOf(env["ORRERY_CONFIG"]) ?? fileHere();
  const written = file === undefined ? undefined : await contentsOf(file);
  const options = new Map<UpOptionName, Given<OptionValue>>();
  for (const name of upOptionNames) {
    const raw = onLine(line, name) ?? inEnvironment(env, name) ?? written?.options.get(name);
    if (raw === undefined) continue;
    options.set(name, { value: readOption(raw, upOptions[name].form), from: raw.from });
  }
  const settings = new Map([
    ...(written?.settings ?? []),
    ...(await settingsInEnvironment(env)),
    ...Object.entries(settingsOf(line.list("setting"))).map(
      ([key, value]) => [key, { value, from: commandLine }] as const,
    ),
  ]);
  return { file, options, settings, line };
}

async function contentsOf(file: string): Promise<FileContents> {
  // The reader of YAML is loaded only if there is a file.
  const { readSettingsFile } = await import("./settings-file.ts");
  return readSettingsFile(file);
}

async function settingsInEnvironment(env: NodeJS.ProcessEnv): Promise<FileContents["settings"]> {
  const text = textOf(env[SETTINGS_VARIABLE]);
  if (text === undefined) return new Map();
  const { settingsOfText } = await import("./settings-file.ts");
  return new Map(
    [...settingsOfText(SETTINGS_VARIABLE, text)].map(([key, { value }]) => [
      key,
      { value, from: SETTINGS_VARIABLE },
    ]),
  );
}

/** Variable with node settings, as YAML: `{cluster.name: books}`. */
const SETTINGS_VARIABLE = "ORRERY_SETTINGS";

function fileHere(): string | undefined {
  const [file, other] = fileNames.filter((name) => existsSync(name));
  if (other !== undefined)
    throw new UsageError(`there are [${file}] and [${other}]: choose one with [--config FILE]`);
  return file;
}

function onLine(line: ParsedOptions, name: UpOptionName): Raw | undefined {
  const value = line.text(name);
  return value === undefined
    ? undefined
    : { value, label: `--${name}`, where: "", from: commandLine };
}

function inEnvironment(env: NodeJS.ProcessEnv, name: UpOptionName): Raw | undefined {
  const variable = variableOf(name);
  const value = textOf(env[variable]);
  // `orrery fault` also takes a URL, which is the address of another cluster's control port.
  if (value === undefined || (name === "control" && !/^\d+$/.test(value))) return undefined;
  return { value, label: variable, where: "", from: variable };
}

/** An empty variable is one that is not set. */
function textOf(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}
