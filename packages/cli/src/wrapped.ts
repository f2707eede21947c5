/** Text wrapped to the width of a page. */

export const PAGE_WIDTH = 100;

/** Lines of at most `PAGE_WIDTH` characters; the first begins with `before`, the others are indented by its length. */
export function wrapped(text: string, before: string): readonly string[] {
  const lines: string[] = [];
  let line = before;
  for (const word of text.split(/\s+/)) {
    const isStart = line.length === before.length;
    if (!isStart && line.length + 1 + word.length > PAGE_WIDTH) {
      lines.push(line);
      line = " ".repeat(before.length) + word;
    } else line += isStart ? word : ` ${word}`;
  }
  return [...lines, line];
}
