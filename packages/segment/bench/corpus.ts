/** Texts with a Zipf vocabulary, the same on every run: what the benchmarks index. */
import { createRandom, type Random } from "@orrery/stdx";

export interface Corpus {
  readonly texts: readonly string[];
  readonly vocabulary: readonly string[];
}

export function createCorpus(documents: number, vocabularySize = 60_000): Corpus {
  const random = createRandom("corpus");
  const vocabulary = Array.from({ length: vocabularySize }, (_, i) => wordOf(i));
  const cumulative = new Float64Array(vocabularySize);
  let total = 0;
  for (let i = 0; i < vocabularySize; i += 1) cumulative[i] = total += 1 / (i + 1);
  const texts = Array.from({ length: documents }, () => textOf(random, vocabulary, cumulative));
  return { texts, vocabulary };
}

function wordOf(index: number): string {
  const letters = "etaoinshrdlucmfwypvbgkqjxz";
  let word = "";
  for (let rest = index + 26; rest > 0; rest = Math.floor(rest / 26)) word += letters[rest % 26];
  return word + (index % 7 === 0 ? "ing" : "");
}

function textOf(random: Random, vocabulary: readonly string[], cumulative: Float64Array): string {
  const length = random.int(40, 160);
  const total = cumulative.at(-1) ?? 0;
  const words = Array.from({ length }, () => {
    const target = random.float() * total;
    let low = 0;
    let high = cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulative[middle] ?? 0) < target) low = middle + 1;
      else high = middle;
    }
    return vocabulary[low];
  });
  return words.join(" ");
}
