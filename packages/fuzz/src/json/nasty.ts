/** Values that often break programs: names, numbers, texts, patterns, deep nesting. */
import type { Json, Random } from "@orrery/stdx";
import { literal } from "./json-text.ts";

export const names: readonly string[] = [
  ...["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "toJSON"],
  ...[
    "__defineGetter__",
    "isPrototypeOf",
    "then",
    "length",
    "name",
    "get",
    "set",
    "size",
    "default",
  ],
  ...["", " ", ".", "..", "...", "a.b", "a..b", ".a", "a.", "*", "_all", "-*", "_", "-", "+x", "#"],
  ...[
    "\u0000",
    "a\u0000b",
    "\ud800",
    "a\udc00b",
    "\u202eabc",
    "\ufeff",
    "ｆｕｌｌ",
    "İ",
    "ß",
    "👩‍👩‍👧",
    "e\u0301",
  ],
  ...["null", "undefined", "NaN", "true", "0", "-1", "1e9", "${x}", "{{x}}", "%s", "<a>"],
  ...[
    "_source",
    "_id",
    "_index",
    "_routing",
    "_doc",
    "_field_names",
    "_ignored",
    "_nested",
    "index.",
    "settings",
  ],
  ...[
    "../../etc/passwd",
    "..%2f",
    "C:\\",
    "a/b",
    "a,b",
    "a:b",
    "a\nb",
    "a\tb",
    "'",
    '"',
    "`",
    "\\",
  ],
];

/** Number literals, valid JSON or not. */
const numberLiterals: readonly string[] = [
  ...["0", "-0", "-0.0", "1", "-1", "-2", "1.5", "-1.5", "0.1", "1e3", "2147483647", "2147483648"],
  ...["-2147483648", "-2147483649", "9007199254740991", "9007199254740992", "9007199254740993"],
  ...["9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809"],
  ...["18446744073709551615", "18446744073709551616", "1e30", "1e308", "1e309", "1e400", "-1e400"],
  ...["1e999", "1e99999", "1e-400", "4.9e-324", "1e-45", "3.5e38", "65536", "10001", "100000000"],
  ...["123456789012345678901234567890", "0.1234567890123456789012345678901234567890", "1E+2"],
];
const brokenNumbers: readonly string[] = [
  ...[
    "NaN",
    "Infinity",
    "-Infinity",
    "+1",
    "01",
    "1.",
    ".5",
    "0x10",
    "1e",
    "1_000",
    "--1",
    "1n",
    "1,5",
  ],
];

export const timeTexts: readonly string[] = [
  ...[
    "1ms",
    "0s",
    "-1",
    "0",
    "1d",
    "1.5d",
    "-1s",
    "1",
    "1x",
    "99999999999d",
    "9223372036854775807ms",
  ],
  ...["1e3s", "NaNs", "1 s", "1S", "1m", "1M", "106752d", "0.0000001nanos"],
];
export const sizeTexts: readonly string[] = [
  ...[
    "1b",
    "-1",
    "1kb",
    "1.5mb",
    "9223372036854775807b",
    "99999999pb",
    "1xb",
    "kb",
    "-5b",
    "100%",
    "101%",
  ],
];
export const dateTexts: readonly string[] = [
  ...[
    "now",
    "now-1d/d",
    "now/x",
    "now+99999999999999y",
    "2020-02-30",
    "0000-00-00",
    "+292278994-08-17",
  ],
  ...[
    "2020-01-01||+1M/d",
    "2020-01-01||",
    "||/d",
    "-999999999-01-01",
    "epoch_millis",
    "1e20",
    "yyyy",
  ],
  ...["2020-01-01T24:00:00Z", "2020-01-01T00:00:00+99:99", "9999999999999999999"],
];
export const patternTexts: readonly string[] = [
  ...[
    "(a+)+b",
    "(a|aa)+(a|aaa)+b",
    "(.*)*x",
    "a{1,1000}{1,1000}",
    "[",
    "(",
    ")",
    "a**",
    "\\",
    "[a-",
    "(?<x>a)",
  ],
  ...[
    "a{99999999}",
    "(?=a)",
    "\\k<x>",
    "[z-a]",
    "~(a*)",
    "<1-99999999>",
    "@&~#",
    "a&b",
    '"',
    "[[:alpha:]]",
    "\\p{L}+",
  ],
  ...[
    "*",
    "**",
    "*a*a*a*a*a*a*a*a*a*a*a*b",
    "?*?*?*?*?*",
    "a*?",
    "\\*",
    "*,-*",
    "-",
    "*.*.*.*.*",
    "((((((((((",
  ],
  ...[
    "^(a|b|ab)*c$",
    "(x+x+)+y",
    "(a?){30}a{30}",
    "\\u{110000}",
    "\\d+(?!x)",
    "|",
    "()",
    "(|)",
    "a||b",
  ],
];
const ipTexts: readonly string[] = [
  ...[
    "1.2.3.4",
    "::1",
    "::ffff:1.2.3.4",
    "1.2.3",
    "999.1.1.1",
    "1.2.3.4/33",
    "::/129",
    "fe80::1%eth0",
    "0.0.0.0/0",
  ],
];
const geoTexts: readonly string[] = [
  ...[
    "1,2",
    "91,181",
    "NaN,NaN",
    "POINT(1 2)",
    "POINT()",
    "drm3btev3e86",
    "u",
    "a",
    "1,2,3",
    "1e400,1",
  ],
];
const queryTexts: readonly string[] = [
  ...[
    "a AND",
    "OR OR",
    "NOT",
    "(a",
    "a)",
    "a:",
    ":a",
    "title:",
    "a~",
    "a~99999999999",
    "a^",
    "a^-1",
    "a^1e999",
  ],
  ...[
    '"a',
    '"a b"~-1',
    "[1 TO",
    "[* TO *]",
    "{a TO b]",
    "title:(a b",
    "/(a+)+b/",
    "/a",
    "\\",
    "a\\",
    "*:*",
    "_exists_:x",
  ],
  ...[
    "a && && b",
    "+-!a",
    "a:b:c",
    ">=1",
    "title:>",
    "n:[1e400 TO NaN]",
    "__proto__:x",
    "*:a",
    "tit*:a",
    "a?*?*?*b~2",
  ],
];

const texts: readonly (readonly string[])[] = [
  ...[names, timeTexts, sizeTexts, dateTexts, patternTexts, ipTexts, geoTexts, queryTexts],
];

export function nastyText(random: Random): string {
  const kind = random.int(0, 19);
  if (kind === 0)
    return random
      .pick(["a", "é", "𝒳", "(", "*", "0", "\u0000", "a."])
      .repeat(random.pick([100, 513, 3000, 33_000]));
  if (kind === 1)
    return Array.from({ length: random.int(1, 12) }, () =>
      String.fromCharCode(random.int(0, 0xffff)),
    ).join("");
  if (kind === 2) return random.pick(numberLiterals);
  return random.pick(random.pick(texts));
}

export function nastyName(random: Random): string {
  if (random.int(0, 29) === 0)
    return random.pick(["a", "é", "."]).repeat(random.pick([255, 256, 1000, 40_000]));
  return random.pick(names);
}

/** Draws a number, mostly a valid one. */
export function nastyNumber(random: Random): Json {
  return literal(random.pick(random.int(0, 9) === 0 ? brokenNumbers : numberLiterals));
}

export function nastyValue(random: Random): Json {
  switch (random.int(0, 9)) {
    case 0:
      return null;
    case 1:
      return random.pick([true, false]);
    case 2:
    case 3:
      return nastyNumber(random);
    case 4:
      return [];
    case 5:
      return {};
    case 6:
      return Array.from({ length: random.pick([1, 2, 3, 50]) }, () =>
        random.int(0, 2) === 0 ? nastyText(random) : nastyNumber(random),
      );
    case 7:
      return Object.fromEntries([
        [nastyName(random), random.pick<Json>([null, {}, [], 1, "x", { x: {} }])],
      ]);
    case 8:
      return deep(random);
    default:
      return nastyText(random);
  }
}

const DEPTHS = [5, 20, 21, 60, 200, 1001, 1100, 5000];

/** Deeply nested arrays and objects; a literal, because the code here is recursive. */
function deep(random: Random): Json {
  const depth = random.pick(DEPTHS);
  const [open, close] = random.pick([
    ["[", "]"],
    ['{"a":', "}"],
    ['{"bool":{"must":', "}}"],
    ['{"bool":{"must":[', "]}}"],
    ['{"properties":{"a":', "}}"],
    ['{"aggs":{"a":{"global":{},', "}}}"],
  ] as const);
  const inner = open.includes("aggs") ? '"meta":{}' : random.pick(["1", "{}", '{"match_all":{}}']);
  return literal(open.repeat(depth) + inner + close.repeat(depth));
}

/** Value of a query parameter or a path segment, before encoding. */
export function nastyParameter(random: Random): string {
  switch (random.int(0, 5)) {
    case 0:
      return random.pick(timeTexts);
    case 1:
      return random.pick([...numberLiterals, ...brokenNumbers]);
    case 2:
      return random.pick([
        "true",
        "false",
        "",
        "TRUE",
        "yes",
        "null",
        "wait_for",
        "all",
        "_all",
        "none",
        "green",
      ]);
    case 3:
      return random.pick(sizeTexts);
    default:
      return nastyText(random);
  }
}
