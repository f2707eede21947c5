/**
 * House rule: no function has more than 120 lines, blank lines and comments counted.
 *
 * A longer one is a program of its own: its decisions belong into functions of named data, which a test calls, and its wiring into a
 * table or into a function for each part. From 60 lines on `max-lines-per-function` warns, and `test/lint-rules.test.ts` counts the
 * functions that it warns of: there are never more of them than before.
 */

const MOST_LINES = 120;

export const functionLength = {
  create: (context) => {
    const check = (node) => {
      const lines = node.loc.end.line - node.loc.start.line + 1;
      if (lines <= MOST_LINES) return;
      const message = `a function of ${lines} lines: more than ${MOST_LINES} are a program of its own, to be taken apart`;
      context.report({ node, message });
    };
    return {
      FunctionDeclaration: check,
      FunctionExpression: check,
      ArrowFunctionExpression: check,
    };
  },
};
