/**
 * Limits on lists of a search body, checked before it is parsed: each object of a list causes work
 * on all shards. Lists of plain values (terms, ids, patterns) have limits of their own, as have the
 * clauses of `bool`.
 */
import { illegalArgument, isJsonObject, type Json } from "@orrery/stdx";

/** Objects in one list, or members of one object. */
const MOST = 10_000;

/** A shorter body cannot contain a longer list. */
const LEAST_BYTES = MOST * 3;

/** Lists that `indices.query.bool.max_clause_count` limits. */
const CLAUSES = new Set(["must", "must_not", "should", "filter"]);

/**
 * Checks that no object of a search body has more than 10,000 members, and no list more than 10,000
 * objects and lists; the clauses of `bool` have a limit of their own.
 * @throws OperationError 400
 */
export function checkListSizes(body: Uint8Array, json: Json): void {
  if (body.length > LEAST_BYTES) checkValue("", json);
}

function checkValue(name: string, json: Json): void {
  if (Array.isArray(json)) checkList(name, json as readonly Json[]);
  else if (isJsonObject(json)) {
    checkCount(name, Object.keys(json).length, "members");
    for (const [key, value] of Object.entries(json)) checkValue(key, value ?? null);
  }
}

function checkList(name: string, list: readonly Json[]): void {
  let objects = 0;
  for (const item of list) {
    if (typeof item !== "object" || item === null) continue;
    objects += 1;
    checkValue(name, item);
  }
  if (!CLAUSES.has(name)) checkCount(name, objects, "objects or lists");
}

/**
 * Checks a count against the limit of 10,000; `name` and `what` are for the error.
 * @throws OperationError 400
 */
export function checkCount(name: string, count: number, what: string): void {
  if (count <= MOST) return;
  throw illegalArgument(
    `[${name}] has [${count}] ${what}, which is more than the [${MOST}] that a search may have in one place`,
  );
}
