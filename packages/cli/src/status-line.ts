/** One line of progress on standard error, which is rewritten in place; none if standard error is no terminal. */

export interface StatusLine {
  show(text: string): void;
  clear(): void;
}

export function createStatusLine(stream: NodeJS.WriteStream = process.stderr): StatusLine {
  let shown = "";
  const clear = (): void => {
    if (shown !== "") stream.write("\r\u001B[K");
    shown = "";
  };
  return {
    show: (text) => {
      if (!stream.isTTY) return;
      // A character in the last column makes some terminals wrap.
      const line = text.slice(0, (stream.columns || 80) - 1);
      if (line === shown) return;
      clear();
      stream.write(line);
      shown = line;
    },
    clear,
  };
}
