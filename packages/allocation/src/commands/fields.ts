/** Fields of a reroute command, with the product's errors. */
import { javaText, lookup, OperationError, type JsonObject } from "@orrery/stdx";

/** Checks the fields of a command: unknown ones, and values that are lists or objects, are refused with an error. */
export function checkFields(name: string, fields: JsonObject, known: readonly string[]): void {
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value === "object" && value !== null) {
      const token = Array.isArray(value) ? "START_ARRAY" : "START_OBJECT";
      throw malformed(`[${name}] command does not support complex json tokens [${token}]`);
    }
    if (!known.includes(key)) {
      throw malformed(`[${name}] command does not support field [${key}]`);
    }
  }
}

export function textField(name: string, fields: JsonObject, key: string): string {
  const value = lookup(fields, key);
  if (value === undefined || value === null) {
    throw malformed(`[${name}] command missing the ${key} parameter`);
  }
  return javaText(value);
}

export function shardField(name: string, fields: JsonObject): number {
  const text = textField(name, fields, "shard");
  const shard = Number(text);
  if (!Number.isInteger(shard)) throw malformed(`[${name}] command missing the shard parameter`);
  return shard;
}

export function flagField(fields: JsonObject, ...keys: readonly string[]): boolean {
  return keys.some((key) => lookup(fields, key) === true || lookup(fields, key) === "true");
}

function malformed(reason: string): OperationError {
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}
