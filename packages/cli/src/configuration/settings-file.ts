/**
 * `orrery.yml`: options of `orrery up` by name, and node settings of the product: below `settings`, or at the top as in
 * `opensearch.yml`, nested or with dots. Each value keeps its position.
 */
import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import {
  isFields,
  readYaml,
  refuse,
  unknownKey,
  type Field,
  type Fields,
  type Place,
} from "@orrery/scenario/yaml";
import { UsageError } from "../usage.ts";
import type { Given, Raw, SettingValue } from "./given-value.ts";
import { upOptionNames, upOptions, type UpOptionName } from "./up-options.ts";

export interface FileContents {
  readonly options: ReadonlyMap<UpOptionName, Raw>;
  readonly settings: ReadonlyMap<string, Given<SettingValue>>;
}

const kind = { says: "a settings file", mayBeEmpty: true };

/** Reads a settings file. Throws `UsageError` if it cannot be read, `OperationError` with file, line and column if it is invalid. */
export function readSettingsFile(file: string): FileContents {
  return settingsIn(file, readText(file));
}

/** Options and settings of a text; `name` denotes it in errors. */
export function settingsIn(name: string, text: string): FileContents {
  const options = new Map<UpOptionName, Raw>();
  const settings = new Map<string, Given<SettingValue>>();
  for (const [key, field] of readYaml(name, text, kind).values) {
    const option = upOptionNames.find((one) => one === key);
    if (option !== undefined && !isFields(field.value))
      options.set(option, rawOf(option, field, name));
    else if (key === "settings") collect(fieldsOf(key, field), "", settings);
    else if (key.includes(".") || isFields(field.value)) collectOne(key, field, settings);
    else throw unknownKey(field.place, key, [...upOptionNames, "settings"]);
  }
  return { options, settings };
}

/** Node settings of a text that is nothing else; `name` denotes it in errors. */
export function settingsOfText(name: string, text: string): FileContents["settings"] {
  const settings = new Map<string, Given<SettingValue>>();
  collect(readYaml(name, text, { ...kind, says: "a list of settings" }), "", settings);
  return settings;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new UsageError(`there is no settings file [${file}]`);
    if (code === "EISDIR") throw new UsageError(`[${file}] is a folder, not a settings file`);
    throw new UsageError(`the settings file [${file}] cannot be read: ${message}`);
  }
}

function rawOf(option: UpOptionName, field: Field, file: string): Raw {
  const { value, place } = field;
  const from = positionOf(place);
  const texts = Array.isArray(value)
    ? (value as readonly Field[]).map((item) => textOf(option, item))
    : textOf(option, field);
  const isPath = upOptions[option].form.kind === "folder" && typeof texts === "string";
  // A path belongs to the file that names it, wherever the command is started.
  const path = isPath && texts !== "" && !isAbsolute(texts) ? join(dirname(file), texts) : texts;
  return { value: path, label: option, where: `${from}: `, from };
}

function collect(fields: Fields, prefix: string, into: Map<string, Given<SettingValue>>): void {
  for (const [key, field] of fields.values) collectOne(`${prefix}${key}`, field, into);
}

function collectOne(key: string, field: Field, into: Map<string, Given<SettingValue>>): void {
  const { value, place } = field;
  if (isFields(value)) return collect(value, `${key}.`, into);
  if (into.has(key)) throw refuse(place, `the setting [${key}] is said twice`);
  const texts = Array.isArray(value)
    ? (value as readonly Field[]).map((item) => textOf(key, item))
    : textOf(key, field);
  into.set(key, { value: texts, from: positionOf(place) });
}

function fieldsOf(key: string, { place, value }: Field): Fields {
  if (isFields(value)) return value;
  if (value === null) return { place, values: new Map() };
  throw refuse(place, `[${key}] must be an object`);
}

function textOf(key: string, { place, value }: Field): string {
  if (value === null) throw refuse(place, `[${key}] has no value`);
  if (typeof value === "object") throw refuse(place, `[${key}] must be text, or a list of texts`);
  return String(value);
}

function positionOf(place: Place): string {
  return "file" in place ? `${place.file}:${place.line}:${place.column}` : "";
}
