/**
 * Characters that differ by case only. Source: `CaseFolding.expand`,
 * `AutomatonQueries.toCaseInsensitiveChar`.
 */

/** Returns both cases of an ASCII letter; any other character alone. */
export function asciiCases(code: number): readonly number[] {
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return isLetter ? [code, code ^ 32] : [code];
}

/** Lowers ASCII letters and leaves all other characters. */
export function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Groups of variants that `toLowerCase` and `toUpperCase` do not connect: code points in base 36.
 */
const GROUPS = [
  "23 2z 6ju,2b 37 an,51 po qk,5h 6d 6jv,67 61q,ck cl cm,cn co cp,cq cr cs,dt du dv,n9 pl qh 69q,pc 6ab",
  "pe qa r4,ph qd s5,pk qg r5 s4,pm qi s0,ps qo ra,pt qp s1,pv qq qr,py qu r9,q1 qx 6jq,q8 6ar",
  "sy tu 5mo,t0 tw 5mp,ta u6 5mq,td u9 5mr,te ua 5ms 5mt,tm ui 5mu,v6 v7 5mv,5mw wui wuj,600 601 61n",
  "680 688,681 689,682 68a,683 68b,684 68c,685 68d,686 68e,687 68f,68g 68o,68h 68p,68i 68q,68j 68r",
  "68k 68s,68l 68t,68m 68u,68n 68v,68w 694,68x 695,68y 696,68z 697,690 698,691 699,692 69a,693 69b",
  "69f 69o,69v 6a4,6b7 6bg,1dl1 1dl2",
].join();

/**
 * The dotted capital I and the dotless small i: they match an ASCII letter, which does not match
 * them.
 */
const ONE_WAY: ReadonlyMap<number, readonly number[]> = new Map([
  [0x130, [0x69, 0x130]],
  [0x131, [0x49, 0x131]],
]);

/** `GROUPS`, parsed on first use. */
let groups: ReadonlyMap<number, readonly number[]> | undefined;

/** Returns all characters with the same simple case folding, including `code`. */
export function caseVariants(code: number): readonly number[] {
  const special = ONE_WAY.get(code);
  if (special !== undefined) return special;
  groups ??= readGroups();
  const group = groups.get(code);
  if (group !== undefined) return group;
  const character = String.fromCodePoint(code);
  const codes = new Set([code]);
  for (const text of [character.toLowerCase(), character.toUpperCase()]) {
    const other = text.codePointAt(0) ?? code;
    if (String.fromCodePoint(other) === text) codes.add(other);
  }
  return [...codes];
}

function readGroups(): ReadonlyMap<number, readonly number[]> {
  return new Map(
    GROUPS.split(",").flatMap((group) => {
      const codes = group.split(" ").map((digits) => Number.parseInt(digits, 36));
      return codes.map((code): [number, readonly number[]] => [code, codes]);
    }),
  );
}
