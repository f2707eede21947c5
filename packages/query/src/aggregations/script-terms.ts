/** `terms` over the texts that a script gives. */
import type { Script } from "../language/script.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { scriptLookup } from "../scripts/doc-values.ts";
import { BucketNumbers } from "./bucket-numbers.ts";
import { BatchBuffer } from "./growable.ts";
import { TermsBase } from "./terms-base.ts";
import type { TermsPartial, TermsSpec } from "./terms-spec.ts";
import type { AggregationContext, Aggregator, LeafCollector } from "../language/aggregation.ts";
import type { CompiledField } from "../language/field-type.ts";
import { eachValue, openScript, textsOf, type OpenScript } from "./script-values.ts";
import { RAW } from "./value-format.ts";

/**
 * The aggregator of `terms` over texts of a script. Buckets are numbered by text; equal texts of a
 * document count once.
 */
export class ScriptTerms extends TermsBase implements Aggregator<TermsPartial> {
  private readonly numbers = new BucketNumbers<string>(this.children);
  private readonly batch = new BatchBuffer(this.context.budget);
  private readonly field: CompiledField | undefined;
  private readonly script: OpenScript;
  private readonly accepts: (key: string) => boolean;

  /** With `field`, the script is called with each of its values. */
  constructor(
    spec: TermsSpec,
    context: AggregationContext,
    { script, field }: { readonly script: Script; readonly field: CompiledField | undefined },
  ) {
    super(spec, context);
    this.field = field;
    this.script = openScript(context, script);
    const filter = spec.filter?.filter(context.build.mapping.settings, String);
    this.accepts = filter ?? (() => true);
  }

  open(segment: SegmentContext): LeafCollector {
    const leaf = this.children.open(segment);
    const keysOf = this.openKeys(segment);
    const { batch, numbers } = this;
    return {
      collect: (docs, buckets, count, scores) => {
        batch.count = 0;
        for (let i = 0; i < count; i += 1) {
          const doc = docs[i] as number;
          const owner = buckets === undefined ? 0 : (buckets[i] as number);
          for (const key of new Set(keysOf(doc))) {
            if (this.accepts(key)) batch.add(doc, numbers.number(owner, key), scores?.[i] ?? 0);
          }
        }
        batch.countInto(this.counts, numbers.size);
        if (this.children.isEmpty || batch.count === 0) return;
        const given = scores === undefined ? undefined : batch.scores;
        leaf.collect(batch.docs, batch.buckets, batch.count, given);
      },
    };
  }

  /** The texts of a document. */
  private openKeys(segment: SegmentContext): (doc: number) => readonly string[] {
    const run = this.script(segment);
    const { field } = this;
    if (field === undefined) {
      return (doc) => {
        const keys: string[] = [];
        textsOf(run(doc, undefined), keys);
        return keys;
      };
    }
    const values = scriptLookup(this.context.build.searcher).values(field)(segment);
    return (doc) => {
      const keys: string[] = [];
      eachValue(values, doc, (value) => textsOf(run(doc, value), keys));
      return keys;
    };
  }

  partial(bucket: number): TermsPartial {
    return this.finish(this.numbers.of(bucket), { kind: "string", format: RAW });
  }
}
