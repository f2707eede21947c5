/**
 * Terms as segment parts, kinds `text` and `keyword`: one dictionary, and over it, as the field requires, an inverted
 * index with norms, and ordinals. Sharing the dictionary makes an ordinal mean the same term in postings and columns.
 */
import { defined } from "@orrery/stdx";
import { openOrdinalColumn } from "../ordinals.ts";
import type { Columns, OpenField, SectionReader, SegmentPart } from "../part.ts";
import { openDictionary } from "../term-dictionary.ts";
import { openTerms } from "../terms.ts";
import type { FieldSpec, OrdinalColumn, TermDictionary, Terms } from "../types.ts";
import { TermsBuffer } from "./terms-buffer.ts";
import type { TermsEntry } from "./terms-layout.ts";
import { mergeTerms } from "./terms-merge.ts";
import { writeTerms } from "./terms-write.ts";

/** The kind `text`: analysed strings. */
export const textPart: SegmentPart<TermsBuffer, TermsEntry, TermsView> = termsPart(
  "text",
  (spec) => new TermsBuffer(spec, defined(spec.analyzer, `analyzer of [${spec.name}]`)),
);

/** The kind `keyword`: each value is one term. */
export const keywordPart: SegmentPart<TermsBuffer, TermsEntry, TermsView> = termsPart(
  "keyword",
  (spec) => new TermsBuffer(spec, undefined),
);

function termsPart(
  kind: string,
  buffer: (spec: FieldSpec) => TermsBuffer,
): SegmentPart<TermsBuffer, TermsEntry, TermsView> {
  return {
    kind,
    buffer,
    write: writeTerms,
    merge: mergeTerms,
    open: (file, entry, field) => new TermsView(file, entry, field),
    columns: (view) => view,
  };
}

/** A view that opens each column at its first use. */
class TermsView implements Columns {
  readonly #file: SectionReader;
  readonly #entry: TermsEntry;
  readonly #field: OpenField;
  #norms: Uint8Array | undefined;
  #dictionary: TermDictionary | undefined;
  #terms: Terms | undefined;
  #ordinals: OrdinalColumn | undefined;

  constructor(file: SectionReader, entry: TermsEntry, field: OpenField) {
    this.#file = file;
    this.#entry = entry;
    this.#field = field;
  }

  get norms(): Uint8Array | undefined {
    const { norms } = this.#entry;
    if (norms === undefined) return undefined;
    this.#norms ??= this.#file.bytes(norms);
    return this.#norms;
  }

  get terms(): Terms | undefined {
    const { inverted } = this.#entry;
    if (inverted === undefined) return undefined;
    this.#terms ??= openTerms(this.#file, {
      info: this.#field.info,
      inverted,
      dictionary: this.dictionary,
      norms: this.norms,
    });
    return this.#terms;
  }

  get ordinals(): OrdinalColumn | undefined {
    const { ordinals } = this.#entry;
    if (ordinals === undefined) return undefined;
    const { maxDoc } = this.#field;
    this.#ordinals ??= openOrdinalColumn(this.#file, ordinals, this.dictionary, maxDoc);
    return this.#ordinals;
  }

  get dictionary(): TermDictionary {
    const { size, offsets, bytes } = this.#entry.dictionary;
    this.#dictionary ??= openDictionary(size, this.#file.ints(offsets), this.#file.bytes(bytes));
    return this.#dictionary;
  }
}
