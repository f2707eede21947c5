/**
 * House rule: no key of a client indexes a plain object.
 *
 * A record that is asked with a text answers to the names of its prototype (`constructor`), and an assignment to `__proto__`
 * is none. `lookup`, `setKey` and `setKeys` of `@orrery/stdx`, a `Map`, or `Object.hasOwn` take any name. The rule sees one
 * file's syntax and no types: it refuses
 *
 * - `key in object`, unless the key is written out;
 * - `object[key]`, read or assigned, where the key is seen to be a text or has a text's name, or the object is seen to be a
 *   record and the key not to be a number;
 * - `Object.assign` onto `{}`, which assigns to `__proto__`.
 *
 * What is left by intent says why: `// oxlint-disable-line orrery/client-keys -- its own keys, in a hot loop`.
 */

const KEYS_OF = new Set(["keys", "getOwnPropertyNames"]);
const TEXT_CALLS = new Set([
  ...["String", "charAt", "concat", "join", "normalize", "padEnd", "padStart", "repeat", "replace"],
  ...["replaceAll", "slice", "substring", "toLowerCase", "toUpperCase", "toString", "trim"],
  ...["trimEnd", "trimStart"],
]);
const TEXT_NAMES = new Set(["address", "alias", "attribute", "identifier", "key"]);
const NUMBER_CALLS = new Set(["Number", "indexOf", "lastIndexOf", "findIndex", "charCodeAt"]);

function isReference(type, name) {
  return type?.type === "TSTypeReference" && type.typeName.name === name;
}

function argumentsOf(type) {
  return (type.typeArguments ?? type.typeParameters)?.params ?? [];
}

function isTextType(type) {
  if (type?.type === "TSStringKeyword" || type?.type === "TSTemplateLiteralType") return true;
  return type?.type === "TSUnionType" && type.types.some(isTextType);
}

/** `Record<string, …>`, `{ [key: string]: … }`, `JsonObject`, each perhaps read-only or absent. */
function isRecordType(type) {
  if (type?.type === "TSUnionType") return type.types.some(isRecordType);
  if (isReference(type, "Readonly") || isReference(type, "Partial"))
    return argumentsOf(type).some(isRecordType);
  if (isReference(type, "Record")) return isTextType(argumentsOf(type)[0]);
  if (isReference(type, "JsonObject")) return true;
  return type?.type === "TSTypeLiteral" && type.members.some(isTextSignature);
}

function isTextSignature(member) {
  return (
    member.type === "TSIndexSignature" &&
    isTextType(member.parameters[0]?.typeAnnotation?.typeAnnotation)
  );
}

function variableOf(context, identifier) {
  for (let scope = context.sourceCode.getScope(identifier); scope !== null; scope = scope.upper) {
    const found = scope.set.get(identifier.name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The names of an object's members are made here: `Object.keys(x)`, and the first of `Object.entries(x)`. */
function namesMade(node) {
  let call = node;
  // What is sorted or filtered on the way keeps what it is.
  while (call?.type === "CallExpression" && call.callee.type === "MemberExpression") {
    const { object, property } = call.callee;
    if (object.type === "Identifier" && object.name === "Object") {
      if (KEYS_OF.has(property.name)) return "names";
      return property.name === "entries" ? "entries" : undefined;
    }
    call = object;
  }
  return undefined;
}

function isFirstOf(pattern, name) {
  return pattern?.type === "ArrayPattern" && pattern.elements[0]?.name === name.name;
}

function isNameFrom(made, pattern, name) {
  if (made === "names") return pattern === name || pattern?.name === name.name;
  return made === "entries" && isFirstOf(pattern, name);
}

/** Its declaration shows a text. */
function isTextDefinition({ type, name, node }) {
  const annotation = name.typeAnnotation?.typeAnnotation;
  if (annotation !== undefined && annotation !== null) return isTextType(annotation);
  if (type === "Variable") {
    const loop = node.parent?.parent;
    if (loop?.type === "ForInStatement" && loop.left === node.parent) return true;
    if (loop?.type === "ForOfStatement" && loop.left === node.parent)
      return isNameFrom(namesMade(loop.right), node.id, name);
    return node.id === name && node.init !== null && node.init !== undefined && isText(node.init);
  }
  if (type !== "Parameter") return false;
  const call = node.parent;
  if (call?.type !== "CallExpression" || call.callee.type !== "MemberExpression") return false;
  return isNameFrom(namesMade(call.callee.object), node.params[0], name);
}

function calleeName({ callee }) {
  return callee.type === "MemberExpression" ? callee.property.name : callee.name;
}

function isText(node, context) {
  switch (node.type) {
    case "TemplateLiteral":
      return node.expressions.length > 0;
    case "BinaryExpression":
      return node.operator === "+" && [node.left, node.right].some((side) => isTextPart(side));
    case "LogicalExpression":
      return isTextPart(node.right) || isText(node.left, context) || isText(node.right, context);
    case "ConditionalExpression":
      return isText(node.consequent, context) || isText(node.alternate, context);
    case "CallExpression":
      return TEXT_CALLS.has(calleeName(node));
    case "TSAsExpression":
      return isTextType(node.typeAnnotation);
    case "Identifier":
      return (
        context !== undefined && (variableOf(context, node)?.defs ?? []).some(isTextDefinition)
      );
    default:
      return false;
  }
}

/** `const key = "index.number_of_shards"`. */
function isFixedName(variable) {
  return (variable?.defs ?? []).some(
    ({ node }) => node.parent?.kind === "const" && node.init?.type === "Literal",
  );
}

/** `(Object.keys(rows) as Name[]).map((key) => …)`: the compiler was told a closed set. */
function isOfAsserted({ type, node }) {
  return type === "Parameter" && node.parent?.callee?.object?.type === "TSAsExpression";
}

/** Nothing shows what it is, and the project calls texts so. */
function isCalledText(node, context) {
  if (node.type === "MemberExpression") return !node.computed && TEXT_NAMES.has(node.property.name);
  if (node.type !== "Identifier" || !TEXT_NAMES.has(node.name)) return false;
  const definitions = variableOf(context, node)?.defs ?? [];
  return definitions.every(
    (definition) =>
      (definition.name.typeAnnotation ?? undefined) === undefined && !isOfAsserted(definition),
  );
}

function isTextPart(node) {
  return (
    node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string")
  );
}

function isNumber(node, context) {
  switch (node.type) {
    case "Literal":
      return typeof node.value === "number";
    case "UpdateExpression":
    case "UnaryExpression":
      return true;
    case "BinaryExpression":
      return !isText(node, context);
    case "CallExpression":
      return NUMBER_CALLS.has(calleeName(node)) || node.callee.object?.name === "Math";
    case "TSAsExpression":
      return node.typeAnnotation.type === "TSNumberKeyword";
    case "MemberExpression":
      return node.property.name === "length";
    case "Identifier":
      return (variableOf(context, node)?.defs ?? []).some((definition) => {
        const annotation = definition.name.typeAnnotation?.typeAnnotation;
        if (annotation?.type === "TSNumberKeyword") return true;
        const init = definition.node.init;
        return (
          definition.type === "Variable" &&
          definition.node.id === definition.name &&
          init?.type === "Literal" &&
          typeof init.value === "number"
        );
      });
    default:
      return false;
  }
}

function isRecordDefinition({ type, name, node }) {
  const annotation = name.typeAnnotation?.typeAnnotation;
  if (annotation !== undefined && annotation !== null) return isRecordType(annotation);
  if (type !== "Variable" || node.id !== name) return false;
  const { init } = node;
  if (init?.type === "ObjectExpression") return true;
  return init?.type === "TSAsExpression" && isRecordType(init.typeAnnotation);
}

function isRecord(node, context) {
  if (node.type === "TSAsExpression") return isRecordType(node.typeAnnotation);
  if (node.type === "ParenthesizedExpression") return isRecord(node.expression, context);
  if (node.type !== "Identifier") return false;
  return (variableOf(context, node)?.defs ?? []).some(isRecordDefinition);
}

/** Written out, or of a closed set that the compiler knows. */
function isFixed(key, context) {
  if (key.type === "Literal") return true;
  if (key.type === "TemplateLiteral") return key.expressions.length === 0;
  if (key.type === "Identifier" && isFixedName(variableOf(context, key))) return true;
  return key.type === "TSAsExpression" && key.typeAnnotation.type === "TSTypeOperator";
}

export const clientKeys = {
  create: (context) => ({
    BinaryExpression(node) {
      if (node.operator !== "in" || isFixed(node.left, context)) return;
      const message =
        "a name of the prototype is in every object: ask `Object.hasOwn(object, key)`";
      context.report({ node, message });
    },
    MemberExpression(node) {
      if (!node.computed || isFixed(node.property, context)) return;
      const isSeen =
        isText(node.property, context) ||
        isCalledText(node.property, context) ||
        (isRecord(node.object, context) && !isNumber(node.property, context));
      if (!isSeen || node.parent.type === "UnaryExpression") return;
      const message =
        "a record answers to names of its prototype: use `lookup` or `setKey` of @orrery/stdx, or a Map";
      context.report({ node, message });
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.object?.name !== "Object" || callee.property?.name !== "assign") return;
      const [target] = node.arguments;
      if (target?.type !== "ObjectExpression") return;
      const message =
        "`Object.assign` assigns to `__proto__`: use a spread, or `setKeys` of @orrery/stdx";
      context.report({ node, message });
    },
  }),
};
