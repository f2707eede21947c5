/** Progress of the hunt for mutants: one line that is rewritten, on standard error, if that is a terminal. */

/** `end` clears the line, so that a result can be printed. */
export function createProgress(total, stream = process.stderr) {
  let done = 0;
  let found = 0;
  let shown = false;
  const startedAt = performance.now();
  const clear = () => {
    if (shown) stream.write("\r\u001B[K");
    shown = false;
  };
  return {
    show: (what) => {
      if (!stream.isTTY) return;
      clear();
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      const line = `${done}/${total} mutants, ${found} found, ${seconds} s: ${what}`;
      stream.write(line.slice(0, (stream.columns || 80) - 1));
      shown = true;
    },
    count: (isFound) => {
      done += 1;
      if (isFound) found += 1;
      clear();
    },
    end: clear,
  };
}
