/**
 * JSON trees of documents and configurations: parsing as a map, copying, printing, and texts of values as the product
 * renders them.
 *
 * Invariant: the tree of a document is at most `MAX_NESTING` deep, so functions over it may recurse.
 */
import {
  isTreeObject as isObject,
  javaDouble,
  JsonLiteral,
  keysOf,
  objectOf,
  readTree,
  type JsonTree,
} from "@orrery/query";
import { fail, lookup, OperationError, type Problem } from "@orrery/stdx";

export { treeJson as printTree } from "@orrery/query";

/** A JSON value with exact numbers. */
export type Tree = JsonTree;

/** An object of a tree that is modified in place. */
export type TreeObject = Record<string, Tree>;

/** Whether the value is an object, not a list or number. */
export function isTreeObject(value: Tree | undefined): value is TreeObject {
  return isObject(value);
}

const BLANKS: ReadonlySet<number> = new Set([9, 10, 13, 32]);
const OPENING_BRACE = 123;

/** Parses one JSON object; lone surrogates are kept. Throws the errors of `XContentHelper.convertToMap`. */
export function readMap(bytes: Uint8Array): TreeObject {
  const start = bytes.find((byte) => !BLANKS.has(byte));
  if (start !== OPENING_BRACE) {
    const reason =
      "Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes";
    return fail({ type: "not_x_content_exception", reason, status: 400 });
  }
  try {
    return readTree(bytes) as TreeObject;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const reason = "Failed to parse content to map";
    return fail({ type: "parse_exception", reason, status: 400, causedBy: error.problem });
  }
}

/** A deep copy; numbers are shared, since they are immutable. */
export function copyTree(value: Tree): Tree {
  if (value instanceof JsonLiteral || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Tree[]).map(copyTree);
  const object = value as TreeObject;
  const members = keysOf(object).map(
    (key) => [key, copyTree(lookup(object, key) ?? null)] as const,
  );
  return objectOf(new Map(members));
}

/** Nesting depth of objects and lists; 0 for a scalar. */
export function depthOf(value: Tree): number {
  if (value instanceof JsonLiteral || typeof value !== "object" || value === null) return 0;
  let deepest = 0;
  for (const item of Object.values(value as TreeObject)) {
    deepest = Math.max(deepest, depthOf(item));
  }
  return deepest + 1;
}

/**
 * The text of a value in a rendered template. A list prints as a map from index to item; a list within it prints as a
 * list. Source: `CustomReflectionObjectHandler`.
 */
export function renderedText(value: Tree | undefined): string {
  if (value === undefined || value === null) return "";
  return Array.isArray(value) ? mapText(Object.entries(value)) : javaText(value);
}

/** `Object.toString` of the Java object that the product's parser makes of a value. */
export function javaText(value: Tree): string {
  if (value instanceof JsonLiteral) return numberText(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${(value as readonly Tree[]).map(javaText).join(", ")}]`;
  return mapText(Object.entries(value as TreeObject));
}

function mapText(entries: readonly (readonly [key: string, item: Tree])[]): string {
  return `{${entries.map(([key, item]) => `${key}=${javaText(item)}`).join(", ")}}`;
}

/** An integer keeps its digits; any other number is a double. */
function numberText(literal: JsonLiteral): string {
  return literal.isInteger ? literal.text : javaDouble(Number(literal.text));
}

const INT_MOST = 2 ** 31 - 1;
const LONG_MOST = 2n ** 63n - 1n;

/** Java class that the product's parser makes of a value, for error messages. */
export function javaTypeOf(value: Tree): string {
  if (typeof value === "string") return "java.lang.String";
  if (typeof value === "boolean") return "java.lang.Boolean";
  if (value instanceof JsonLiteral) return numberTypeOf(value);
  if (typeof value === "number" || typeof value === "bigint")
    return numberTypeOf(new JsonLiteral(String(value)));
  return Array.isArray(value) ? "java.util.ArrayList" : "java.util.HashMap";
}

function numberTypeOf(literal: JsonLiteral): string {
  if (!literal.isInteger) return "java.lang.Double";
  const number = literal.value;
  if (typeof number === "number" && number <= INT_MOST && number >= -INT_MOST - 1)
    return "java.lang.Integer";
  const exact = BigInt(number);
  return exact <= LONG_MOST && exact >= -LONG_MOST - 1n ? "java.lang.Long" : "java.math.BigInteger";
}

/** A `ClassCastException` of the JVM, which the product reports unchanged. */
export function classCast(value: Tree, wanted: string): Problem {
  const found = javaTypeOf(value);
  const reason = `class ${found} cannot be cast to class ${wanted} (${found} and ${wanted} are in module java.base of loader 'bootstrap')`;
  return { type: "class_cast_exception", reason, status: 500 };
}
