/**
 * House rule: no list is spread into the arguments of a call.
 *
 * Arguments lie on the stack: above some 100,000 of them V8 throws a RangeError, and clients choose how long most lists are.
 * `appendAll`, `greatest`, `least` and `latin1Text` of `@orrery/stdx` take lists of any length; a function of this project takes
 * the list itself. The rule refuses
 *
 * - `f(...list)` and `new F(...list)`, unless the items are written out: `f(...[a, b])`;
 * - `list.push.apply(list, items)`, `Math.max.apply(…)` and the like, and `Reflect.apply`.
 *
 * What is left by intent says why: `// oxlint-disable-line orrery/spread-arguments -- three at most`.
 */

const VARIADIC = new Set([
  ...["push", "unshift", "concat", "splice", "of"],
  ...["max", "min", "hypot", "fromCharCode", "fromCodePoint"],
]);

const MESSAGE =
  "arguments lie on the stack, which a long list overflows: use `appendAll`, `greatest`, `least` or `latin1Text` of @orrery/stdx, or pass the list";

/** Items in the source: their number is fixed. */
function isWrittenOut(node) {
  if (node.type === "ConditionalExpression")
    return isWrittenOut(node.consequent) && isWrittenOut(node.alternate);
  if (node.type === "ParenthesizedExpression" || node.type === "TSAsExpression")
    return isWrittenOut(node.expression);
  return (
    node.type === "ArrayExpression" &&
    node.elements.every((item) => item?.type !== "SpreadElement" || isWrittenOut(item.argument))
  );
}

function isSpread(node) {
  return node.type === "SpreadElement" && !isWrittenOut(node.argument);
}

/** `list.push.apply(list, items)` and `Reflect.apply(f, undefined, items)`: `apply` is a name of other functions, too. */
function isApplied({ type, object, property }) {
  if (type !== "MemberExpression" || property.name !== "apply") return false;
  if (object.name === "Reflect") return true;
  return object.type === "MemberExpression" && VARIADIC.has(object.property.name);
}

export const spreadArguments = {
  create: (context) => {
    const check = (node) => {
      for (const given of node.arguments.filter(isSpread))
        context.report({ node: given, message: MESSAGE });
    };
    return {
      NewExpression: check,
      CallExpression(node) {
        check(node);
        if (isApplied(node.callee)) context.report({ node, message: MESSAGE });
      },
    };
  },
};
