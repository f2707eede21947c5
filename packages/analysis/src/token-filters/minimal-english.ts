/** Harman's S stemmer, Lucene's `EnglishMinimalStemmer`: removes plural endings only. */

export function stripMinimalPlural(term: string): string {
  const { length } = term;
  if (length < 3 || term.charAt(length - 1) !== "s") return term;
  const before = term.charAt(length - 2);
  if (before === "u" || before === "s") return term;
  if (before !== "e") return term.slice(0, -1);
  const third = term.charAt(length - 3);
  if (length > 3 && third === "i") {
    const fourth = term.charAt(length - 4);
    if (fourth !== "a" && fourth !== "e") return `${term.slice(0, -3)}y`;
  }
  return third === "i" || third === "a" || third === "o" || third === "e"
    ? term
    : term.slice(0, -1);
}
