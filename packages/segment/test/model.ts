/** Random documents, and what a segment over them must say, computed the slow way: the reference of the properties. */
import { createAnalysis, type Analyzer } from "@orrery/analysis";
import { compareBytes, utf8Encode, type Random } from "@orrery/stdx";
import type {
  DocumentInput,
  FieldSpec,
  FieldValue,
  LiveDocs,
  WholeSegmentReader,
} from "../src/index.ts";
import { intToByte4, isLive, NO_MORE_DOCS } from "../src/index.ts";

const analysis = createAnalysis({
  filter: {
    holes: { type: "stop", stopwords: ["w1", "w2"] },
    alike: { type: "synonym", synonyms: ["w3, w4", "w5 => w6 w7"] },
  },
  analyzer: {
    stacked: { type: "custom", tokenizer: "standard", filter: ["lowercase", "alike", "holes"] },
  },
});

const plain = { norms: false, docValues: false, points: false } as const;

export const specs: readonly FieldSpec[] = [
  {
    ...plain,
    name: "body",
    type: "text",
    index: "positions",
    norms: true,
    analyzer: analysis.analyzer("standard"),
  },
  {
    ...plain,
    name: "stacked",
    type: "text",
    index: "offsets",
    norms: true,
    docValues: true,
    analyzer: analysis.analyzer("stacked"),
    positionIncrementGap: 300,
  },
  {
    ...plain,
    name: "freqs",
    type: "text",
    index: "freqs",
    norms: true,
    analyzer: analysis.analyzer("standard"),
  },
  {
    ...plain,
    name: "rare",
    type: "text",
    index: "docs",
    norms: true,
    analyzer: analysis.analyzer("standard"),
  },
  { ...plain, name: "tag", type: "keyword", index: "docs", docValues: true },
  { ...plain, name: "ords", type: "keyword", index: "none", docValues: true },
  { ...plain, name: "long", type: "long", index: "none", docValues: true, points: true },
  { ...plain, name: "huge", type: "long", index: "none", docValues: true, points: true },
  { ...plain, name: "double", type: "double", index: "none", docValues: true, points: true },
  { ...plain, name: "blob", type: "binary", index: "none", docValues: true },
];

/** What one document is, flattened: nested documents are documents of their own. */
export interface ModelDocument {
  readonly input: DocumentInput;
  readonly isNested: boolean;
  readonly fields: readonly FieldValue[];
}

export function anyDocument(random: Random, seqNo: number, density: number): DocumentInput {
  const kind = random.int(0, 30) === 0 ? random.pick(["delete", "noop"] as const) : "index";
  return {
    kind,
    id: kind === "noop" ? "" : `é-${random.int(0, 200)}`,
    routing: random.int(0, 3) === 0 ? `r${random.int(0, 5)}` : undefined,
    seqNo,
    primaryTerm: random.int(1, 3),
    version: random.int(0, 20) === 0 ? 2 ** 40 + seqNo : seqNo + 1,
    source: random.int(0, 9) === 0 ? undefined : random.bytes(random.int(0, 40)),
    fields: kind === "index" ? anyFields(random, density) : [],
    ...(kind === "index" && random.int(0, 12) === 0
      ? { children: Array.from({ length: random.int(1, 3) }, () => anyFields(random, density)) }
      : {}),
  };
}

function anyFields(random: Random, density: number): FieldValue[] {
  return specs.flatMap((field) => {
    if (random.float() > density) return [];
    const count = random.int(0, 4) === 0 ? random.int(2, 4) : 1;
    return Array.from({ length: count }, () => ({ field, value: anyValue(random, field) }));
  });
}

function anyValue(random: Random, { name, type }: FieldSpec): FieldValue["value"] {
  if (type === "text") return anyText(random);
  if (name === "huge") return BigInt(random.int(-3, 3)) * 2n ** 61n + BigInt(random.int(0, 9));
  if (type === "long")
    return random.int(0, 9) === 0 ? random.int(-(2 ** 45), 2 ** 45) : random.int(-50, 50);
  if (type === "double") return random.int(-500, 500) / 8;
  if (type === "binary") return random.bytes(random.int(0, 5));
  const value = random.pick(["", "a", "ab", "abc", "é", "\u{1f600}", `t${random.int(0, 60)}`]);
  return random.int(0, 3) === 0 ? utf8Encode(value) : value;
}

function anyText(random: Random): string {
  const length = random.int(0, 6) === 0 ? random.int(60, 400) : random.int(0, 12);
  return Array.from({ length }, () => `w${Math.floor(random.float() ** 3 * 120)}`).join(" ");
}

export function flatten(inputs: readonly DocumentInput[]): ModelDocument[] {
  return inputs.flatMap((input) => [
    ...(input.children ?? []).map((fields) => ({ input, isNested: true, fields })),
    { input, isNested: false, fields: input.fields },
  ]);
}

interface Occurrence {
  readonly position: number;
  readonly startOffset: number;
  readonly endOffset: number;
}

/** Everything a reader says about documents, in a form that `toEqual` compares. */
export interface Description {
  readonly documents: readonly unknown[];
  readonly fields: readonly unknown[];
}

export function describeModel(
  documents: readonly ModelDocument[],
  live: readonly boolean[],
): Description {
  const used = specs.filter(({ name }) =>
    documents.some(({ fields }) => fields.some(({ field }) => field.name === name)),
  );
  return {
    documents: documents.map(({ input, isNested }, doc) => [
      live[doc],
      isNested,
      input.seqNo,
      input.primaryTerm,
      input.version,
      isNested
        ? undefined
        : [input.kind, input.id, input.routing, input.source && [...input.source]],
    ]),
    fields: used
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((spec) => describeField(spec, documents)),
  };
}

function describeField(spec: FieldSpec, documents: readonly ModelDocument[]): unknown {
  const values = documents.map(({ fields }) =>
    fields.filter(({ field }) => field === spec).map(({ value }) => value),
  );
  const withField = values.map((list) => list.length > 0);
  if (spec.type === "text" || spec.type === "keyword") {
    return { name: spec.name, withField, ...describeTerms(spec, values) };
  }
  if (spec.type === "binary") {
    return {
      name: spec.name,
      withField,
      binary: values.map((list) => list.map((value) => [...(value as Uint8Array)])),
    };
  }
  const numbers = values.map((list) =>
    list.map(bigintOf(spec)).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
  );
  const points = numbers
    .flatMap((list, doc) => list.map((value) => ({ value, doc })))
    .toSorted((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : a.doc - b.doc));
  return {
    name: spec.name,
    withField,
    numbers,
    points: points.map(({ value, doc }) => [value, doc]),
  };
}

/** Doubles here are eighths, so that all values compare as integers. */
function bigintOf({ type }: FieldSpec): (value: FieldValue["value"]) => bigint {
  return (value) => BigInt(type === "double" ? Number(value) * 8 : (value as number | bigint));
}

function describeTerms(
  spec: FieldSpec,
  values: readonly (readonly FieldValue["value"][])[],
): object {
  const terms = new Map<string, Map<number, Occurrence[]>>();
  const lengths: number[] = [];
  for (const [doc, list] of values.entries()) {
    const occurrences = occurrencesOf(spec, list);
    for (const { term, ...occurrence } of occurrences) {
      const docs = terms.get(term) ?? new Map<number, Occurrence[]>();
      terms.set(term, docs);
      docs.set(doc, [...(docs.get(doc) ?? []), occurrence]);
    }
    const distinct = new Set(occurrences.map(({ term }) => term)).size;
    const counted = occurrences.filter(({ isStacked }) => !isStacked).length;
    lengths.push(spec.index === "docs" ? distinct : counted);
  }
  const sorted = [...terms].toSorted(([a], [b]) => compareBytes(utf8Encode(a), utf8Encode(b)));
  const rank = new Map(sorted.map(([term], ord) => [term, ord]));
  const hasFreqs = spec.index !== "docs" && spec.index !== "none";
  const hasPositions = spec.index === "positions" || spec.index === "offsets";
  return {
    terms: sorted.map(([term]) => term),
    norms: spec.norms
      ? lengths.map((length, doc) => (values[doc]?.length === 0 ? 0 : intToByte4(length)))
      : undefined,
    postings:
      spec.index === "none"
        ? undefined
        : sorted.map(([, docs]) =>
            [...docs].map(([doc, list]) => [
              doc,
              hasFreqs ? list.length : 1,
              hasPositions ? list.map(({ position }) => position) : [],
              spec.index === "offsets" ? list.map((at) => [at.startOffset, at.endOffset]) : [],
            ]),
          ),
    ordinals: spec.docValues
      ? values.map((_, doc) =>
          [...terms]
            .flatMap(([term, docs]) => (docs.has(doc) ? [rank.get(term) ?? -1] : []))
            .toSorted((a, b) => a - b),
        )
      : undefined,
  };
}

interface TermAt extends Occurrence {
  readonly term: string;
  readonly isStacked: boolean;
}

function occurrencesOf(spec: FieldSpec, values: readonly FieldValue["value"][]): TermAt[] {
  if (spec.type === "keyword") {
    return values.map((value) => ({
      term: typeof value === "string" ? value : new TextDecoder().decode(value as Uint8Array),
      isStacked: false,
      position: 0,
      startOffset: 0,
      endOffset: 0,
    }));
  }
  const found: TermAt[] = [];
  let position = -1;
  let offset = 0;
  for (const value of values) {
    const text = String(value);
    const trailing = (spec.analyzer as Analyzer).visit(text, (token) => {
      position = Math.max(0, position + token.positionIncrement);
      found.push({
        term: token.term,
        isStacked: token.positionIncrement === 0,
        position,
        startOffset: offset + token.startOffset,
        endOffset: offset + token.endOffset,
      });
    });
    position += trailing + (spec.positionIncrementGap ?? 100);
    offset += text.length + 1;
  }
  return found;
}

/** The same description, read from a segment through its public surface. */
export function describeReader(
  reader: WholeSegmentReader,
  live: LiveDocs | undefined,
): Description {
  const docs = Array.from({ length: reader.maxDoc }, (_, doc) => doc);
  return {
    documents: docs.map((doc) => {
      const isNested = reader.roots !== undefined && !reader.roots.has(doc);
      return [
        isLive(live, doc),
        isNested,
        reader.seqNo(doc),
        reader.primaryTerm(doc),
        reader.version(doc),
        isNested ? undefined : describeStored(reader, doc),
      ];
    }),
    fields: reader.fields.map((info) => {
      const { name } = info;
      const withField = docs.map((doc) => reader.documentsWith(name)?.has(doc) ?? false);
      if (info.type === "text" || info.type === "keyword") {
        return { name, withField, ...describeReaderTerms(reader, name, docs) };
      }
      if (info.type === "binary") {
        const binary = docs.map((doc) =>
          (reader.binary(name)?.values(doc) ?? []).map((value) => [...value]),
        );
        return { name, withField, binary };
      }
      return { name, withField, ...describeNumbers(reader, name, docs) };
    }),
  };
}

function describeStored(reader: WholeSegmentReader, doc: number): unknown {
  const { kind, id, routing, source } = reader.stored(doc);
  return [kind, id, routing, source && [...source]];
}

function describeNumbers(
  reader: WholeSegmentReader,
  name: string,
  docs: readonly number[],
): object {
  const column = reader.numbers(name);
  const points = reader.points(name);
  const scale = reader.field(name)?.type === "double" ? 8 : 1;
  const exact = (values: ArrayLike<number | bigint> | undefined, i: number): bigint => {
    const value = values?.[i] ?? 0;
    return BigInt(typeof value === "number" ? value * scale : value);
  };
  return {
    numbers: docs.map((doc) => {
      const [start, end] = [column?.start(doc) ?? 0, column?.end(doc) ?? 0];
      return Array.from({ length: end - start }, (_, i) => exact(column?.values, start + i));
    }),
    points: Array.from(points?.docs ?? [], (doc, i) => [exact(points?.values, i), doc]),
  };
}

function describeReaderTerms(
  reader: WholeSegmentReader,
  name: string,
  docs: readonly number[],
): object {
  const terms = reader.terms(name);
  const ordinals = reader.ordinals(name);
  const dictionary = terms ?? ordinals?.dictionary;
  const names: string[] = [];
  const cursor = dictionary?.cursor(0);
  while (cursor?.next() === true) names.push(cursor.text());
  const norms = reader.norms(name);
  return {
    terms: names,
    norms: norms === undefined ? undefined : [...norms],
    postings:
      terms === undefined
        ? undefined
        : names.map((_, ord) => {
            const postings = terms.postings(ord);
            const found: unknown[] = [];
            for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) {
              const positions: number[] = [];
              const offsets: number[][] = [];
              for (let at = postings.nextPosition(); at >= 0; at = postings.nextPosition()) {
                positions.push(at);
                if (terms.index === "offsets")
                  offsets.push([postings.startOffset(), postings.endOffset()]);
              }
              found.push([doc, postings.freq(), positions, offsets]);
            }
            return found;
          }),
    ordinals:
      ordinals === undefined
        ? undefined
        : docs.map((doc) => [...ordinals.ords.subarray(ordinals.start(doc), ordinals.end(doc))]),
  };
}
