/**
 * Porter's stemmer in the form of Lucene's `PorterStemmer`, with its three departures from the paper (`bli` → `ble`,
 * `logi` → `log`, short words unchanged). Works on UTF-16 units.
 */

const [A, E, I, L, O, S, T, U, W, X, Y, Z] = [..."aeilostuwxyz"].map((char) =>
  char.charCodeAt(0),
) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/** Step 3: [suffix, replacement] in the order tried, by the letter before the last. */
const STEP_3: ReadonlyMap<string, readonly (readonly [string, string])[]> = new Map([
  [
    "a",
    [
      ["ational", "ate"],
      ["tional", "tion"],
    ],
  ],
  [
    "c",
    [
      ["enci", "ence"],
      ["anci", "ance"],
    ],
  ],
  ["e", [["izer", "ize"]]],
  [
    "l",
    [
      ["bli", "ble"],
      ["alli", "al"],
      ["entli", "ent"],
      ["eli", "e"],
      ["ousli", "ous"],
    ],
  ],
  [
    "o",
    [
      ["ization", "ize"],
      ["ation", "ate"],
      ["ator", "ate"],
    ],
  ],
  [
    "s",
    [
      ["alism", "al"],
      ["iveness", "ive"],
      ["fulness", "ful"],
      ["ousness", "ous"],
    ],
  ],
  [
    "t",
    [
      ["aliti", "al"],
      ["iviti", "ive"],
      ["biliti", "ble"],
    ],
  ],
  ["g", [["logi", "log"]]],
]);

/** Step 4: [suffix, replacement] by the last letter. */
const STEP_4: ReadonlyMap<string, readonly (readonly [string, string])[]> = new Map([
  [
    "e",
    [
      ["icate", "ic"],
      ["ative", ""],
      ["alize", "al"],
    ],
  ],
  ["i", [["iciti", "ic"]]],
  [
    "l",
    [
      ["ical", "ic"],
      ["ful", ""],
    ],
  ],
  ["s", [["ness", ""]]],
]);

/** Step 5: suffixes to remove, by the letter before the last. */
const STEP_5: ReadonlyMap<string, readonly string[]> = new Map([
  ["a", ["al"]],
  ["c", ["ance", "ence"]],
  ["e", ["er"]],
  ["i", ["ic"]],
  ["l", ["able", "ible"]],
  ["n", ["ant", "ement", "ment", "ent"]],
  ["o", ["ion", "ou"]],
  ["s", ["ism"]],
  ["t", ["ate", "iti"]],
  ["u", ["ous"]],
  ["v", ["ive"]],
  ["z", ["ize"]],
]);

export function porterStem(word: string): string {
  if (word.length < 3) return word;
  return step6(step5(step4(step3(step2(step1(word))))));
}

/** Step 1: plurals and past participles. */
function step1(word: string): string {
  const singular = withoutPlural(word);
  if (singular.endsWith("eed")) {
    return measure(singular, singular.length - 3) > 0 ? singular.slice(0, -1) : singular;
  }
  const cut = singular.endsWith("ed") ? 2 : singular.endsWith("ing") ? 3 : 0;
  if (cut === 0 || !hasVowel(singular, singular.length - cut)) return singular;
  const stem = singular.slice(0, -cut);
  if (stem.endsWith("at") || stem.endsWith("bl") || stem.endsWith("iz")) return `${stem}e`;
  if (endsDouble(stem)) {
    const last = stem.charCodeAt(stem.length - 1);
    return last === L || last === S || last === Z ? stem : stem.slice(0, -1);
  }
  return measure(stem, stem.length) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function withoutPlural(word: string): string {
  if (word.charCodeAt(word.length - 1) !== S) return word;
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.charCodeAt(word.length - 2) === S ? word : word.slice(0, -1);
}

function step2(word: string): string {
  if (word.charCodeAt(word.length - 1) !== Y || !hasVowel(word, word.length - 1)) return word;
  return `${word.slice(0, -1)}i`;
}

function step3(word: string): string {
  if (word.length < 2) return word;
  return replaceFirst(word, STEP_3.get(word.charAt(word.length - 2)));
}

function step4(word: string): string {
  return replaceFirst(word, STEP_4.get(word.charAt(word.length - 1)));
}

function replaceFirst(
  word: string,
  rules: readonly (readonly [string, string])[] | undefined,
): string {
  const rule = rules?.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const stemLength = word.length - rule[0].length;
  return measure(word, stemLength) > 0 ? word.slice(0, stemLength) + rule[1] : word;
}

function step5(word: string): string {
  if (word.length < 2) return word;
  const suffixes = STEP_5.get(word.charAt(word.length - 2));
  const suffix = suffixes?.find((ending) => word.endsWith(ending) && isCutAllowed(word, ending));
  if (suffix === undefined) return word;
  const stemLength = word.length - suffix.length;
  return measure(word, stemLength) > 1 ? word.slice(0, stemLength) : word;
}

function isCutAllowed(word: string, ending: string): boolean {
  if (ending !== "ion") return true;
  const before = word.charCodeAt(word.length - 4);
  return before === S || before === T;
}

/** Step 6: removes a final e, and one of a final double l. */
function step6(word: string): string {
  const all = measure(word, word.length - 1);
  let stem = word;
  if (word.charCodeAt(word.length - 1) === E) {
    const isCut = all > 1 || (all === 1 && !endsShort(word.slice(0, -1)));
    if (isCut) stem = word.slice(0, -1);
  }
  const isDoubleL = stem.charCodeAt(stem.length - 1) === L && endsDouble(stem);
  return isDoubleL && measure(word, word.length - 1) > 1 ? stem.slice(0, -1) : stem;
}

function isConsonant(word: string, at: number): boolean {
  const unit = word.charCodeAt(at);
  if (unit === A || unit === E || unit === I || unit === O || unit === U) return false;
  if (unit !== Y) return true;
  return at === 0 || !isConsonant(word, at - 1);
}

/** Porter's measure: the number of vowel–consonant sequences in the first `length` units. */
function measure(word: string, length: number): number {
  let count = 0;
  let wasVowel = false;
  for (let i = 0; i < length; i += 1) {
    const isVowel = !isConsonant(word, i);
    if (wasVowel && !isVowel) count += 1;
    wasVowel = isVowel;
  }
  return count;
}

function hasVowel(word: string, length: number): boolean {
  for (let i = 0; i < length; i += 1) if (!isConsonant(word, i)) return true;
  return false;
}

function endsDouble(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word.charCodeAt(last) === word.charCodeAt(last - 1) && isConsonant(word, last);
}

/** Porter's condition *o: the word ends consonant, vowel, consonant, and the last is not w, x or y ("hop"). */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  if (last < 2 || !isConsonant(word, last) || isConsonant(word, last - 1)) return false;
  if (!isConsonant(word, last - 2)) return false;
  const unit = word.charCodeAt(last);
  return unit !== W && unit !== X && unit !== Y;
}
