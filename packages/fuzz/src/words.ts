/** Words of the implementation language: a response that contains one reveals an unexpected error. */

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

/** First such word that the input did not contain, with its surroundings. */
export function scriptWord(
  text: string,
  sent: string,
): { readonly word: string; readonly at: number } | undefined {
  const found = SCRIPT_WORDS.exec(text);
  if (found === null || sent.includes(found[0])) return undefined;
  return { word: found[0], at: found.index };
}

/** Reason without parts that differ between cases: values in brackets, quoted texts, numbers. */
export function pattern(reason: string): string {
  return reason
    .replaceAll(/\[.*\]|\[.*/gs, "[…]")
    .replaceAll(/"[^"]*"?/g, '"…"')
    .replaceAll(/'[^']*'?/g, "'…'")
    .replaceAll(/`[^`]*`?/g, "`…`")
    .replaceAll(/\b(?=\w*\d)[\w-]+\b/g, "#")
    .slice(0, 120);
}

/** Innermost stack frame in our own sources, without its line: `rest/src/dispatch.ts run`. */
export function placeOf(stack: string | undefined): string {
  const frame = /at (?:async )?(?:(\S+) \()?[^\n]*?packages\/([\w/.-]+?\.[jt]s):\d+/.exec(
    stack ?? "",
  );
  return frame === null ? "somewhere" : [frame[2], frame[1]].join(" ").trim();
}
