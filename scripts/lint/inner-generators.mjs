/**
 * House rule: no generator function and no class is made inside a function.
 *
 * Each generator function has a hidden class of its own from its first call on, and so has each class. V8 keeps hidden classes in the
 * old generation, and each refers to its function, which refers to what the function closes over: what a request holds is then kept
 * until the old generation is collected. A generator function of a module takes as arguments what it would close over, and
 * an arrow function may call it.
 *
 * What is made once by intent says so: `// oxlint-disable-line orrery/inner-generators -- made once`.
 */

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

const MESSAGE =
  "a generator function or class that is made for each call keeps what it closes over from the young collector: make it a function of the module";

function isInside(node) {
  for (let outer = node.parent; outer; outer = outer.parent)
    if (FUNCTIONS.has(outer.type)) return true;
  return false;
}

export const innerGenerators = {
  create: (context) => {
    const checkFunction = (node) => {
      if (node.generator && isInside(node)) context.report({ node, message: MESSAGE });
    };
    const checkClass = (node) => {
      if (isInside(node)) context.report({ node, message: MESSAGE });
    };
    return {
      FunctionDeclaration: checkFunction,
      FunctionExpression: checkFunction,
      ClassDeclaration: checkClass,
      ClassExpression: checkClass,
    };
  },
};
