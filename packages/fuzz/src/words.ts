/** Words of the language that Orrery is written in: where a person reads one of them, an error was not foreseen. */

const SCRIPT_WORDS: RegExp = new RegExp(
  [
    String.raw`\b(?:Type|Range|Syntax|Reference|URI|Assertion|Eval|Internal|Body|Operation)Error\b`,
    String.raw`is not (?:a function|iterable|a constructor|valid JSON)`,
    String.raw`\[object \w+\]|Cannot (?:read propert|set propert|convert|mix BigInt|destructure|access ')`,
    String.raw`Maximum call stack|Invalid (?:array length|string length|time value|regular expression)`,
    String.raw`Unexpected token ['\W] ?in JSON|JSON at position|Unexpected end of JSON`,
    String.raw`\bat .{1,80}\.[jt]s:\d+|node:internal|Reduce of empty array|\bfunction \w*\(|=> \{`,
    String.raw`Object prototype|\bSymbol\(|unreachable:|\bBigInt\b`,
  ].join("|"),
);

/** The first of them that the input did not bring itself, and where it stands. */
export function scriptWord(
  text: string,
  sent: string,
): { readonly word: string; readonly at: number } | undefined {
  const found = SCRIPT_WORDS.exec(text);
  if (found === null || sent.includes(found[0])) return undefined;
  return { word: found[0], at: found.index };
}

/** A reason without what differs from case to case: values in brackets, quoted texts, numbers. */
export function pattern(reason: string): string {
  return reason
    .replaceAll(/\[.*\]|\[.*/gs, "[…]")
    .replaceAll(/"[^"]*"?/g, '"…"')
    .replaceAll(/'[^']*'?/g, "'…'")
    .replaceAll(/`[^`]*`?/g, "`…`")
    .replaceAll(/\b(?=\w*\d)[\w-]+\b/g, "#")
    .slice(0, 120);
}

/** The innermost place of a stack that is in our own sources, without its line: `rest/src/dispatch.ts run`. */
export function placeOf(stack: string | undefined): string {
  const frame = /at (?:async )?(?:(\S+) \()?[^\n]*?packages\/([\w/.-]+?\.[jt]s):\d+/.exec(
    stack ?? "",
  );
  return frame === null ? "somewhere" : [frame[2], frame[1]].join(" ").trim();
}
