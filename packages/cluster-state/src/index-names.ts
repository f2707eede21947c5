/** Rules for names of indices and aliases (`MetadataCreateIndexService.validateIndexOrAliasName`). */
import { utf8Encode, type Problem } from "@orrery/stdx";
import type { ClusterState } from "./types.ts";

const FORBIDDEN = [" ", '"', "*", "\\", "<", "|", ",", ">", "/", "?"];
/** The forbidden characters as messages print them. */
export const FORBIDDEN_LIST = '[ , ", *, \\, <, |, ,, >, /, ?]';
const MAX_BYTES = 255;

/** The violated rule for names of indices and aliases, in the product's words; undefined for a valid name. */
export function nameComplaint(name: string): string | undefined {
  if (name === "") return "must not be empty";
  if (hasForbiddenCharacter(name)) {
    return `must not contain the following characters ${FORBIDDEN_LIST}`;
  }
  if (name.includes("#")) return "must not contain '#'";
  if (name.includes(":")) return "must not contain ':'";
  if (["_", "-", "+"].includes(name.charAt(0))) return "must not start with '_', '-', or '+'";
  const bytes = utf8Encode(name).length;
  if (bytes > MAX_BYTES) return `index name is too long, (${bytes} > ${MAX_BYTES})`;
  if (name === "." || name === "..") return "must not be '.' or '..'";
  return undefined;
}

/** Whether the name contains a character that no index name may have. */
export function hasForbiddenCharacter(name: string): boolean {
  return FORBIDDEN.some((char) => name.includes(char));
}

/** `invalid_index_name_exception` with the violated rule. */
export function invalidIndexName(name: string, complaint: string): Problem {
  return {
    type: "invalid_index_name_exception",
    reason: `Invalid index name [${name}], ${complaint}`,
    status: 400,
    metadata: { index: name, index_uuid: "_na_" },
  };
}

/** Why a new index may not have this name: it is invalid, or an index or alias has it; undefined when it may. */
export function validateNewIndexName(state: ClusterState, name: string): Problem | undefined {
  const complaint = nameComplaint(name) ?? (isLowerCase(name) ? undefined : "must be lowercase");
  if (complaint !== undefined) return invalidIndexName(name, complaint);
  const existing = state.metadata.indices.get(name);
  if (existing !== undefined) {
    return {
      type: "resource_already_exists_exception",
      reason: `index [${name}/${existing.uuid}] already exists`,
      status: 400,
      metadata: { index: name, index_uuid: existing.uuid },
    };
  }
  return hasAlias(state, name) ? invalidIndexName(name, "already exists as alias") : undefined;
}

function isLowerCase(name: string): boolean {
  return name.toLowerCase() === name;
}

/** Whether any index has an alias of this name. */
export function hasAlias(state: ClusterState, name: string): boolean {
  for (const { aliases } of state.metadata.indices.values()) {
    if (aliases.has(name)) return true;
  }
  return false;
}
