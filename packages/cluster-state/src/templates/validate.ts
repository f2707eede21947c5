/** Validation of templates, except for their mappings (`MetadataIndexTemplateService.validate`). */
import type { Problem } from "@orrery/stdx";
import { aliasNameProblem } from "../aliases.ts";
import { replicaBalanceComplaint } from "../awareness.ts";
import { FORBIDDEN_LIST, hasForbiddenCharacter } from "../index-names.ts";
import { privateComplaints, validateKeys } from "../settings/validate.ts";
import type { AliasMetadata, ClusterState, Settings } from "../types.ts";
import { matchAll } from "./find.ts";
import type { Rules } from "../rules.ts";

interface Checked {
  readonly name: string;
  readonly patterns: readonly string[];
  readonly settings: Settings | undefined;
  readonly aliases: Readonly<Record<string, AliasMetadata>> | undefined;
  /** The state to which the template is added. */
  readonly state: ClusterState;
  readonly rules: Rules;
}

/**
 * The first problem of a template: an unknown setting, which is reported alone; else all violations of its name,
 * patterns and settings in one problem; else the first violation of its aliases.
 */
export function templateProblem({
  name,
  patterns,
  settings = {},
  aliases = {},
  state,
  rules,
}: Checked): Problem | undefined {
  const keys = validateKeys(rules.settings.index, settings, { isCreate: true });
  // An unknown setting is reported alone.
  if (keys?.type === "settings_exception") return keys;
  const isGlobal = patterns.some(matchAll);
  const complaints = [
    ...nameComplaints(name),
    ...patterns.flatMap(patternComplaints),
    ...(keys === undefined ? [] : [keys, ...(keys.suppressed ?? [])].map(({ reason }) => reason)),
    ...privateComplaints(rules.settings.index, settings),
    ...(keys === undefined ? balanceComplaints(state, settings) : []),
    ...(isGlobal && settings["index.hidden"] !== undefined
      ? ["global templates may not specify the setting index.hidden"]
      : []),
  ];
  if (complaints.length > 0) {
    const numbered = complaints.map((complaint, i) => `${i + 1}: ${complaint};`).join("");
    return invalidTemplate(name, `Validation Failed: ${numbered}`);
  }
  for (const [alias, metadata] of Object.entries(aliases)) {
    const problem = aliasNameProblem(alias, metadata) ?? samePatternProblem(alias, patterns);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function balanceComplaints(state: ClusterState, settings: Settings): readonly string[] {
  const complaint = replicaBalanceComplaint(state, settings);
  return complaint === undefined ? [] : [complaint];
}

export function invalidTemplate(name: string, cause: string): Problem {
  return {
    type: "invalid_index_template_exception",
    reason: `index_template [${name}] invalid, cause [${cause}]`,
    status: 400,
  };
}

function nameComplaints(name: string): readonly string[] {
  const forbidden = (letter: string, what: string): readonly string[] =>
    name.includes(letter) ? [`name must not contain a ${what}`] : [];
  return [
    ...forbidden(" ", "space"),
    ...forbidden(",", "','"),
    ...forbidden("#", "'#'"),
    ...forbidden("*", "'*'"),
    ...(name.startsWith("_") ? ["name must not start with '_'"] : []),
    ...(name === name.toLowerCase() ? [] : ["name must be lower cased"]),
  ];
}

function patternComplaints(pattern: string): readonly string[] {
  const start = `index_pattern [${pattern}] must not`;
  const forbidden = (letter: string): readonly string[] =>
    pattern.includes(letter) ? [`${start} contain a '${letter}'`] : [];
  return [
    ...(pattern.includes(" ") ? [`index_patterns [${pattern}] must not contain a space`] : []),
    ...forbidden(","),
    ...forbidden("#"),
    ...forbidden(":"),
    ...(pattern.startsWith("_") ? [`${start} start with '_'`] : []),
    ...(hasForbiddenCharacter(pattern.replaceAll("*", ""))
      ? [`${start} contain the following characters ${FORBIDDEN_LIST}`]
      : []),
  ];
}

function samePatternProblem(alias: string, patterns: readonly string[]): Problem | undefined {
  if (!patterns.includes(alias)) return undefined;
  return {
    type: "illegal_argument_exception",
    reason: `alias [${alias}] cannot be the same as any pattern in [${patterns.join(", ")}]`,
    status: 400,
  };
}
