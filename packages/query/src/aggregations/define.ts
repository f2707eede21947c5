/**
 * Definitions of aggregations, typed by the shape of their partials. A definition is sealed into
 * the `Aggregation` of a tree, whose partials are plain data to the reducer and the codec.
 */
import type { PlainShape } from "../json/plain.ts";
import type {
  AggregationHead,
  Aggregation,
  Aggregator,
  ReduceContext,
} from "../language/aggregation.ts";

/**
 * The definition of a bucket aggregation. Defaults: `typedName` is the type of the request, and
 * scores are needed if a sub-aggregation needs them.
 */
export type BucketDefinition<Shape> = Omit<
  Aggregation<Shape>,
  keyof AggregationHead | "pipeline" | "typedName" | "needsScores"
> &
  Partial<Pick<Aggregation<Shape>, "typedName" | "needsScores">>;

/**
 * The definition of an aggregation without buckets. Its `reduce` returns the result at once and is
 * not done in steps.
 */
export type MetricDefinition<Shape> = Omit<
  BucketDefinition<Shape>,
  "reduce" | "bucketCount" | "bucketsOf" | "bucketOf"
> & {
  /** Merges partials into one; no partials give an empty result. */
  reduce(partials: readonly Shape[], context: ReduceContext): Shape;
};

/**
 * The definition of a pipeline aggregation. Shards collect nothing for it; `metric` is also called
 * where the pipeline has no result.
 */
export type PipelineDefinition<Shape> = Pick<MetricDefinition<Shape>, "render"> &
  Pick<MetricDefinition<Shape | undefined>, "metric" | "typedName"> &
  Required<Pick<Aggregation<Shape>, "pipeline">>;

/** Makes an aggregation that has buckets and accepts sub-aggregations. */
export function defineBuckets<Shape extends PlainShape<Shape>>(
  { name, type, meta, children }: AggregationHead,
  definition: BucketDefinition<Shape>,
): Aggregation {
  return sealed<Shape>({
    name,
    type,
    meta,
    children,
    needsScores: children.some(({ needsScores }) => needsScores),
    typedName: () => type,
    ...definition,
  });
}

/** Makes an aggregation without sub-aggregations. */
export function defineMetric<Shape extends PlainShape<Shape>>(
  { name, type, meta }: AggregationHead,
  definition: MetricDefinition<Shape>,
): Aggregation {
  return sealed<Shape>({
    name,
    type,
    meta,
    children: [],
    needsScores: false,
    typedName: () => type,
    ...definition,
    reduce: (partials, context) => oneStep(() => definition.reduce(partials, context)),
  });
}

/**
 * Makes an aggregation that is computed from others. Its collector does nothing and its partial is
 * `undefined`, so it keeps its place among the partials.
 */
export function definePipeline<Shape extends PlainShape<Shape>>(
  { name, type, meta }: AggregationHead,
  definition: PipelineDefinition<Shape>,
): Aggregation {
  return sealed<Shape | undefined>({
    name,
    type,
    meta,
    children: [],
    needsScores: false,
    typedName: () => type,
    ...definition,
    create: (): Aggregator<undefined> => ({
      open: () => ({ collect: () => {} }),
      partial: () => undefined,
    }),
    reduce: () => oneStep(() => undefined),
    render: (reduced, options) =>
      reduced === undefined ? {} : definition.render(reduced, options),
  });
}

// oxlint-disable-next-line require-yield -- one result is one step
function* oneStep<Shape>(reduce: () => Shape): Generator<undefined, Shape> {
  return reduce();
}

/**
 * Hides the shape of the partials. The cast is sound because a partial only returns to the
 * aggregation that made it: every node builds the tree from the same request, and partials are
 * ordered as the tree is.
 */
function sealed<Shape>(aggregation: Aggregation<Shape>): Aggregation {
  return aggregation as unknown as Aggregation;
}
