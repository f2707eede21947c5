/** Byte sizes as OpenSearch writes them: `512mb`, `1.5kb`, `-1`. Source: `ByteSizeValue`. */

const SUFFIXES = ["b", "kb", "mb", "gb", "tb", "pb"];

/** Bytes; `-1` and `0` need no unit; `undefined` when the text is no byte size. */
export function parseByteSize(text: string): number | undefined {
  const clean = text.trim().toLowerCase();
  if (clean === "-1" || clean === "0") return Number(clean);
  const match = /^(\d+(?:\.\d+)?)(b|kb?|mb?|gb?|tb?|pb?)$/.exec(clean);
  if (!match) return undefined;
  const power = SUFFIXES.findIndex((suffix) => suffix.startsWith(match[2] ?? "b"));
  return Math.floor(Number(match[1]) * 1024 ** power);
}

/** As `ByteSizeValue.toString` prints it: one decimal, `1.5kb`, `230b`. */
export function formatByteSize(bytes: number): string {
  if (bytes < 0) return String(bytes);
  let power = 0;
  while (power < SUFFIXES.length - 1 && bytes >= 1024 ** (power + 1)) power += 1;
  const amount = Math.floor((bytes / 1024 ** power) * 10) / 10;
  return `${amount}${SUFFIXES[power] ?? "b"}`;
}
