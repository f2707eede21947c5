/** Sets of code points in Java's patterns: ranges, named classes, unions, intersections and complements. */

/** A set of code points. */
export interface CharSet {
  has(code: number): boolean;
  /**
   * The set as JavaScript writes it between brackets, a complement with a `^` first; `undefined`: it has no short
   * form.
   */
  readonly native: string | undefined;
}

/** Code points from `first` to `last`, both included. */
export function rangeSet(first: number, last: number): CharSet {
  const escape = (code: number): string => `\\u{${code.toString(16)}}`;
  return {
    has: (code) => code >= first && code <= last,
    native: first === last ? escape(first) : `${escape(first)}-${escape(last)}`,
  };
}

/** The code points that at least one of the sets has. */
export function unionOf(sets: readonly CharSet[]): CharSet {
  const [only] = sets;
  if (sets.length === 1 && only !== undefined) return only;
  const natives = sets.map(({ native }) => native);
  return {
    has: (code) => sets.some((set) => set.has(code)),
    native: natives.some((native) => native === undefined || native.startsWith("^"))
      ? undefined
      : natives.join(""),
  };
}

/** The code points that the set lacks. */
export function complementSet(set: CharSet): CharSet {
  const { native } = set;
  return {
    has: (code) => !set.has(code),
    native: native === undefined || native.startsWith("^") ? undefined : `^${native}`,
  };
}

/** The code points that every one of the sets has. */
export function intersectionOf(sets: readonly CharSet[]): CharSet {
  return { has: (code) => sets.every((set) => set.has(code)), native: undefined };
}

/** The set with code points that differ from a member by case only: by ASCII case, or by Unicode's simple mappings. */
export function foldedSet(set: CharSet, isUnicode: boolean): CharSet {
  return {
    has: (code) => set.has(code) || variants(code, isUnicode).some((other) => set.has(other)),
    native: undefined,
  };
}

function variants(code: number, isUnicode: boolean): number[] {
  if (code < 128 && !isUnicode) {
    const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    return isLetter ? [code ^ 32] : [];
  }
  if (!isUnicode) return [];
  const upper = single(String.fromCodePoint(code).toUpperCase(), code);
  return [upper, single(String.fromCodePoint(upper).toLowerCase(), upper)];
}

/** A mapping to several characters is ignored. */
function single(text: string, code: number): number {
  const mapped = text.codePointAt(0) ?? code;
  return String.fromCodePoint(mapped) === text ? mapped : code;
}

function namedSet(native: string, pairs: readonly (readonly [number, number])[]): CharSet {
  return { has: (code) => pairs.some(([a, b]) => code >= a && code <= b), native };
}

export const DIGITS: CharSet = namedSet("0-9", [[48, 57]]);
export const WORD: CharSet = namedSet("a-zA-Z0-9_", [
  [97, 122],
  [65, 90],
  [48, 57],
  [95, 95],
]);
export const SPACES: CharSet = namedSet(" \\t-\\r", [
  [32, 32],
  [9, 13],
]);
export const HORIZONTAL: CharSet = namedSet(
  " \\t\\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000",
  [
    [32, 32],
    [9, 9],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x180e, 0x180e],
    [0x2000, 0x200a],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
  ],
);
export const VERTICAL: CharSet = namedSet("\\n-\\r\\x85\\u2028\\u2029", [
  [10, 13],
  [0x85, 0x85],
  [0x2028, 0x2029],
]);
/** Line terminators, which `.` excludes. */
export const LINE_ENDS: CharSet = namedSet("\\n\\r\\x85\\u2028\\u2029", [
  [10, 10],
  [13, 13],
  [0x85, 0x85],
  [0x2028, 0x2029],
]);
export const ANY: CharSet = rangeSet(0, 0x10ffff);

const POSIX: ReadonlyMap<string, CharSet> = new Map([
  ["Lower", namedSet("a-z", [[97, 122]])],
  ["Upper", namedSet("A-Z", [[65, 90]])],
  [
    "Alpha",
    namedSet("a-zA-Z", [
      [97, 122],
      [65, 90],
    ]),
  ],
  ["Digit", DIGITS],
  [
    "Alnum",
    namedSet("a-zA-Z0-9", [
      [97, 122],
      [65, 90],
      [48, 57],
    ]),
  ],
  [
    "Punct",
    namedSet("!-\\/:-@\\[-`\\{-~", [
      [33, 47],
      [58, 64],
      [91, 96],
      [123, 126],
    ]),
  ],
  ["Graph", namedSet("!-~", [[33, 126]])],
  ["Print", namedSet(" -~", [[32, 126]])],
  [
    "Blank",
    namedSet(" \\t", [
      [32, 32],
      [9, 9],
    ]),
  ],
  [
    "Cntrl",
    namedSet("\\0-\\x1f\\x7f", [
      [0, 31],
      [127, 127],
    ]),
  ],
  [
    "XDigit",
    namedSet("0-9a-fA-F", [
      [48, 57],
      [97, 102],
      [65, 70],
    ]),
  ],
  ["Space", SPACES],
  ["ASCII", namedSet("\\0-\\x7f", [[0, 127]])],
]);

/** Java's names of properties, with JavaScript's. */
const PROPERTIES: ReadonlyMap<string, string> = new Map([
  ["javaLowerCase", "Lowercase"],
  ["javaUpperCase", "Uppercase"],
  ["javaTitleCase", "Lt"],
  ["javaDigit", "Nd"],
  ["javaLetter", "L"],
  ["javaAlphabetic", "Alphabetic"],
  ["IsAlphabetic", "Alphabetic"],
  ["IsIdeographic", "Ideographic"],
  ["IsLetter", "L"],
  ["IsLowercase", "Lowercase"],
  ["IsUppercase", "Uppercase"],
  ["IsTitlecase", "Lt"],
  ["IsPunctuation", "P"],
  ["IsControl", "Cc"],
  ["IsWhite_Space", "White_Space"],
  ["IsDigit", "Nd"],
  ["IsEmoji", "Emoji"],
  ["LC", "LC"],
]);

const CATEGORY = /^(?:[LMNPSZC]|L[ultmo]|M[nec]|N[dlo]|Z[slp]|C[cfosn]|P[dsecfio]|S[mcko])$/;
const BLOCKS: ReadonlyMap<string, CharSet> = new Map([
  ["BASICLATIN", rangeSet(0, 0x7f)],
  ["LATIN1SUPPLEMENT", rangeSet(0x80, 0xff)],
  ["GREEK", rangeSet(0x370, 0x3ff)],
  ["CYRILLIC", rangeSet(0x400, 0x4ff)],
  ["HEBREW", rangeSet(0x590, 0x5ff)],
  ["ARABIC", rangeSet(0x600, 0x6ff)],
  ["THAI", rangeSet(0xe00, 0xe7f)],
  ["HIRAGANA", rangeSet(0x3040, 0x309f)],
  ["KATAKANA", rangeSet(0x30a0, 0x30ff)],
  ["CJKUNIFIEDIDEOGRAPHS", rangeSet(0x4e00, 0x9fff)],
  ["HANGULSYLLABLES", rangeSet(0xac00, 0xd7af)],
]);

/** The set of `\p{name}`; `undefined`: there is no such property. */
export function propertySet(name: string): CharSet | undefined {
  const posix = POSIX.get(name);
  if (posix !== undefined) return posix;
  if (name === "javaWhitespace" || name === "javaSpaceChar") return SPACES;
  if (name === "IsAssigned") return complementSet(byName("Cn") ?? ANY);
  if (name === "javaLetterOrDigit") return unionOf([byName("L") ?? ANY, byName("Nd") ?? ANY]);
  const known = PROPERTIES.get(name);
  if (known !== undefined) return byName(known);
  const [key, value] = name.includes("=") ? name.split("=") : [undefined, name];
  if (key === undefined || ["general_category", "gc"].includes(key)) {
    if (CATEGORY.test(value ?? "")) return byName(value ?? "");
  }
  if (key === undefined && name.startsWith("Is")) {
    const bare = name.slice(2);
    return byName(CATEGORY.test(bare) ? bare : `Script=${bare}`);
  }
  if (key === "script" || key === "sc") return byName(`Script=${value ?? ""}`);
  const isBlock = key === "block" || key === "blk" || (key === undefined && name.startsWith("In"));
  if (!isBlock) return undefined;
  const block = key === undefined ? name.slice(2) : (value ?? "");
  return BLOCKS.get(block.toUpperCase().replaceAll(/[ _-]/g, ""));
}

function byName(property: string): CharSet | undefined {
  if (!/^\w+(?:=\w+)?$/.test(property)) return undefined;
  const native = `\\p{${property}}`;
  try {
    const expression = new RegExp(`^${native}$`, "u");
    return { has: (code) => expression.test(String.fromCodePoint(code)), native };
  } catch {
    // The engine knows no such property.
    return undefined;
  }
}
