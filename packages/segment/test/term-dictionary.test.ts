/** The dictionary against a sorted list. */
import { forSeeds } from "@orrery/seeds";
import { compareBytes, utf8Decode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { createDictionaryWriter, openDictionary } from "../src/term-dictionary.ts";

test("INV-SEGMENT-9: a dictionary seeks, walks and ranges like a sorted list", () => {
  forSeeds(150, (random) => {
    const alphabet = random.pick([2, 26, 255]);
    const anyTerm = (): Uint8Array => {
      const term = random.bytes(random.int(0, random.pick([3, 12, 200])));
      return term.map((byte) => byte % (alphabet + 1));
    };
    const sorted = Array.from({ length: random.int(0, 400) }, anyTerm).toSorted(compareBytes);
    const terms = sorted.filter(
      (term, i) => i === 0 || compareBytes(sorted[i - 1] ?? term, term) !== 0,
    );
    const writer = createDictionaryWriter();
    for (const term of terms) writer.add(term, 0, term.length);
    const { offsets, bytes } = writer.finish();

    const dictionary = openDictionary(terms.length, offsets.slice(), bytes.slice());

    expect(Array.from({ length: dictionary.size }, (_, ord) => dictionary.term(ord))).toEqual(
      terms,
    );
    for (const wanted of [...terms.slice(0, 50), ...Array.from({ length: 50 }, anyTerm)]) {
      const ceiling = terms.findIndex((term) => compareBytes(term, wanted) >= 0);
      const ord = ceiling === -1 ? terms.length : ceiling;
      const found = terms[ord];
      expect(dictionary.ceiling(wanted)).toBe(ord);
      expect(dictionary.find(wanted)).toBe(
        found !== undefined && compareBytes(found, wanted) === 0 ? ord : -1,
      );
      const prefix = wanted.slice(0, 2);
      const { from, to } = dictionary.prefixRange(prefix);
      const starting = terms.filter((term) => prefix.every((byte, i) => term[i] === byte));
      expect(terms.slice(from, to)).toEqual(starting);
    }
    const from = random.int(0, terms.length);
    const cursor = dictionary.cursor(from);
    const walked: string[] = [];
    while (cursor.next()) walked.push(cursor.text());
    expect(walked).toEqual(terms.slice(from).map(utf8Decode));
  });
});
