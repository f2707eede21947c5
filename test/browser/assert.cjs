/** `node:assert`, as far as the modules that are bundled for a page call it. */
module.exports = function assert(claim, message) {
  if (claim) return;
  throw message instanceof Error ? message : new Error(message ?? "assertion failed");
};
