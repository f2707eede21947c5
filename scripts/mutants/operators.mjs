/**
 * The operators of systematic mutants. Each looks at one node of the syntax tree and returns the texts that may take its place: none
 * where it does not apply. `source(node)` is the text of a node.
 */

const persists = /^(save|persist|write|sync|flush|append|commit|keep|rename|setHardState|put)/;
const sends =
  /^(send|publish|broadcast|notify|announce|tell|report|answer|resolve|reply|post|forward|wake|submit)/;
const timers =
  /^(arm|setTimer|schedule|restart|retry|again|resume|reconcile$|settleComplete|beginDueWork|start\w*Upkeep)/;
const releases =
  /^(release|free|close|cancel|end|forget|discard|dispose|unlock|clear|remove|unwatch|untrack|stop|done|drop|prune|disarm|finish)/;
const updates = new Set(["set", "add", "delete", "push", "pop", "shift", "splice", "unshift"]);
const identities = /(term|id|uuid|version|generation|seqNo|index|epoch|state|mode|status)$/i;
const shown =
  /^(assert|unreachable|trace\w*|log\w*|debug|info|warn|warning|error|describe\w*|count\w*|hex|print\w*)$/;
const figures = /(^|\.)(counters|stats|statistics)(\.|$)/;

/** Code that nothing but a person, a figure or an assertion sees: no operator looks into it. */
export function isShownOnly(node, source) {
  if (node.type === "ExpressionStatement") return isShownStatement(node, source);
  if (node.type === "IfStatement") {
    const isOfExplanations = /\bexplains?\b/.test(source(node.test));
    return isOfExplanations || (node.alternate === null && isShownBranch(node.consequent, source));
  }
  if (node.type === "CallExpression") return shown.test(nameOf(node.callee));
  if (node.type === "AssignmentExpression") return figures.test(source(node.left));
  return node.type.startsWith("TS") && node.type !== "TSAsExpression";
}

export const operators = {
  "negate-condition": (node, source) =>
    conditionsOf(node).map((test) => replacing(test, `!(${source(test)})`)),

  "drop-operand": (node, source) =>
    isLogical(node) ? [whole(`(${source(node.left)})`), whole(`(${source(node.right)})`)] : [],

  "swap-and-or": (node, source) => {
    if (!isLogical(node)) return [];
    const other = node.operator === "&&" ? "||" : "&&";
    return [whole(`((${source(node.left)}) ${other} (${source(node.right)}))`)];
  },

  "skip-guard": (node) =>
    node.type === "IfStatement" && node.alternate === null && leaves(node.consequent)
      ? [whole(";")]
      : [],

  "drop-branch": (node) =>
    node.type === "IfStatement" && node.alternate !== null
      ? [replacing(node.alternate, "{}"), replacing(node.consequent, "{}")]
      : node.type === "IfStatement" && !leaves(node.consequent)
        ? [replacing(node.consequent, "{}")]
        : [],

  "shift-comparison": (node, source) => {
    const others = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
    if (node.type !== "BinaryExpression" || !Object.hasOwn(others, node.operator)) return [];
    // The very millisecond of a limit: one try more or less.
    if (/Ms\b/.test(source(node))) return [];
    return [whole(`${source(node.left)} ${others[node.operator]} ${source(node.right)}`)];
  },

  "shift-number": (node, source) =>
    node.type === "BinaryExpression" &&
    ["+", "-"].includes(node.operator) &&
    node.right.type === "Literal" &&
    node.right.value === 1
      ? [whole(`(${source(node.left)})`)]
      : [],

  "omit-comparison": (node, source) => {
    if (node.type !== "BinaryExpression" || !["===", "!=="].includes(node.operator)) return [];
    const compares = [node.left, node.right].some((side) => identities.test(source(side)));
    return compares ? [whole(String(node.operator === "==="))] : [];
  },

  "swap-min-max": (node, source) => {
    const others = { "Math.min": "Math.max", "Math.max": "Math.min" };
    if (node.type !== "CallExpression") return [];
    const callee = source(node.callee);
    return Object.hasOwn(others, callee) && node.arguments.some(isNoLimit)
      ? [replacing(node.callee, others[callee])]
      : [];
  },

  "swap-some-every": (node) => {
    const others = { some: "every", every: "some" };
    const called = node.type === "CallExpression" ? nameOf(node.callee) : "";
    return Object.hasOwn(others, called) && node.callee.type === "MemberExpression"
      ? [replacing(node.callee.property, others[called])]
      : [];
  },

  "drop-filter": (node, source) =>
    node.type === "CallExpression" &&
    node.callee.type === "MemberExpression" &&
    nameOf(node.callee) === "filter"
      ? [whole(source(node.callee.object))]
      : [],

  "flip-boolean": (node, _source, parent) =>
    node.type === "Literal" && typeof node.value === "boolean" && !isCondition(node, parent)
      ? [whole(String(!node.value))]
      : [],

  "break-continue": (node) => {
    if (node.type !== "BreakStatement" && node.type !== "ContinueStatement") return [];
    if (node.label !== null) return [];
    return [whole(node.type === "BreakStatement" ? "continue;" : "break;")];
  },

  "keep-old-value": (node, source) => {
    if (node.type !== "ObjectExpression" || node.properties[0]?.type !== "SpreadElement") return [];
    return node.properties.flatMap((property, at) =>
      property.type === "Property"
        ? [whole(`({ ${node.properties.toSpliced(at, 1).map(source).join(", ")} })`)]
        : [],
    );
  },

  "skip-assignment": (node) =>
    node.type === "ExpressionStatement" && node.expression.type === "AssignmentExpression"
      ? [whole(";")]
      : [],

  "skip-update": skipCall((called) => updates.has(called)),
  "skip-persist": skipCall((called) => persists.test(called)),
  "skip-send": skipCall((called) => sends.test(called)),
  "skip-timer": skipCall((called) => timers.test(called)),
  "skip-release": skipCall((called) => releases.test(called) && !updates.has(called)),
  "skip-call": skipCall(
    (called) =>
      !updates.has(called) &&
      ![persists, sends, timers, releases].some((kind) => kind.test(called)),
  ),

  /** An awaited call goes on beside the statements that follow. */
  "drop-await": (node, source) =>
    node.type === "ExpressionStatement" && node.expression.type === "AwaitExpression"
      ? [whole(`void ${source(node.expression.argument)};`)]
      : [],

  /** The statement that follows is done first: an answer before its wait, a send before its persist. */
  "delay-await": (node, source) =>
    pairsOf(node).flatMap(([first, second]) =>
      isAwait(first) && second.type === "ExpressionStatement" && !isShownStatement(second, source)
        ? [spanning(first, second, `${source(second)} ${source(first)}`)]
        : [],
    ),

  /** Of two that write, send, arm or release something: other calls hardly ever depend on each other. */
  "swap-calls": (node, source) =>
    pairsOf(node).flatMap(([first, second]) =>
      [first, second].every(isStep)
        ? [spanning(first, second, `${source(second)} ${source(first)}`)]
        : [],
    ),

  "wait-for-fewer": (node, source) =>
    node.type === "CallExpression" &&
    source(node.callee) === "Promise.all" &&
    node.arguments[0]?.type === "ArrayExpression"
      ? node.arguments[0].elements
          .filter((element) => element !== null && element.type !== "SpreadElement")
          .map((element) => replacing(element, `(void (${source(element)}), undefined)`))
      : [],

  "ignore-error": (node, source) => {
    if (node.type === "CatchClause" && node.body.body.length > 0)
      return [replacing(node.body, "{}")];
    const isCatch = node.type === "CallExpression" && nameOf(node.callee) === "catch";
    const [handler] = node.arguments ?? [];
    if (!isCatch || handler === undefined || source(handler) === "() => undefined") return [];
    return [replacing(handler, "() => undefined")];
  },

  /** A resource is released only where all went well and nothing returned. */
  "skip-finally": (node, source) => {
    if (node.type !== "TryStatement" || node.finalizer === null) return [];
    const tried =
      node.handler === null
        ? source(node.block)
        : `try ${source(node.block)} ${source(node.handler)}`;
    return [whole(`{ ${tried} ${source(node.finalizer)} }`)];
  },
};

function skipCall(isMeant) {
  return (node, source) => {
    if (node.type !== "ExpressionStatement") return [];
    const call = calledBy(node.expression);
    if (call === undefined || isShownOnly(call, source)) return [];
    return isMeant(nameOf(call.callee)) ? [whole(";")] : [];
  };
}

/** The call that a statement is: awaited, voided, chained or plain. */
function calledBy(expression) {
  if (expression.type === "UnaryExpression" && expression.operator === "void")
    return calledBy(expression.argument);
  if (expression.type === "AwaitExpression") return calledBy(expression.argument);
  if (expression.type === "ChainExpression") return calledBy(expression.expression);
  if (expression.type !== "CallExpression") return undefined;
  const { callee } = expression;
  const handled = ["catch", "finally", "then"].includes(nameOf(callee));
  return handled && callee.object.type === "CallExpression" ? callee.object : expression;
}

function nameOf(callee) {
  if (callee.type === "MemberExpression") return callee.computed ? "" : callee.property.name;
  return callee.type === "Identifier" ? callee.name : "";
}

function conditionsOf(node) {
  const kinds = ["IfStatement", "ConditionalExpression", "WhileStatement"];
  if (kinds.includes(node.type)) return [node.test];
  return [];
}

function isCondition(node, parent) {
  return parent?.test === node;
}

function isLogical(node) {
  return node.type === "LogicalExpression" && node.operator !== "??";
}

function isNoLimit(argument) {
  return argument.type !== "Literal";
}

/** A statement after which its block does not go on. */
function leaves(statement) {
  const last = statement.type === "BlockStatement" ? statement.body.at(-1) : statement;
  const kinds = ["ReturnStatement", "ThrowStatement", "ContinueStatement", "BreakStatement"];
  return last !== undefined && kinds.includes(last.type);
}

function isAwait({ type, expression }) {
  return type === "ExpressionStatement" && expression.type === "AwaitExpression";
}

function isShownStatement({ expression }, source) {
  const call = calledBy(expression);
  return isShownOnly(call ?? expression, source);
}

function isStep(statement) {
  if (statement.type !== "ExpressionStatement" || isAwait(statement)) return false;
  const call = calledBy(statement.expression);
  if (call === undefined) return false;
  const called = nameOf(call.callee);
  return [persists, sends, timers, releases].some((kind) => kind.test(called));
}

function isShownBranch(statement, source) {
  const inside = statement.type === "BlockStatement" ? statement.body : [statement];
  return inside.every((one) => one.type === "ExpressionStatement" && isShownStatement(one, source));
}

function pairsOf(node) {
  const list = listOf(node);
  return list.slice(1).map((second, at) => [list[at], second]);
}

/** The statements of a block. */
export function listOf(node) {
  if (node.type === "BlockStatement") return node.body;
  return node.type === "SwitchCase" ? node.consequent : [];
}

function whole(text) {
  return { text };
}

function replacing({ start, end }, text) {
  return { start, end, text };
}

function spanning({ start }, { end }, text) {
  return { start, end, text };
}
