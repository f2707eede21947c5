/** House rule: a source file starts with a comment that says what it is for. */
export const moduleHeader = {
  create: (context) => ({
    Program(node) {
      const text = context.sourceCode.text.replace(/^#!.*\n/, "");
      if (/^\s*\/\*\*\s/.test(text)) return;
      context.report({ node, message: "start the file with a /** … */ that says what it is for" });
    },
  }),
};
