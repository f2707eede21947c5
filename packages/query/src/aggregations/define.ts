/**
 * Definitions of aggregations, each over partials of its own shape. A definition is sealed into the aggregation that a tree
 * holds, whose partials are plain data to the reducer and to the codec.
 */
import type { PlainShape } from "../json/plain.ts";
import type {
  AggregationHead,
  Aggregation,
  Aggregator,
  ReduceContext,
} from "../language/aggregation.ts";

/** Without `typedName` it is the type of the request; without `needsScores` the sub-aggregations decide. */
export type BucketDefinition<Shape> = Omit<
  Aggregation<Shape>,
  keyof AggregationHead | "pipeline" | "typedName" | "needsScores"
> &
  Partial<Pick<Aggregation<Shape>, "typedName" | "needsScores">>;

export type MetricDefinition<Shape> = Omit<
  BucketDefinition<Shape>,
  "reduce" | "bucketCount" | "bucketsOf" | "bucketOf"
> & {
  /** One partial of several; also of none, for an empty result. */
  reduce(partials: readonly Shape[], context: ReduceContext): Shape;
};

/** Shards leave nothing for it; `metric` is also asked where it gave no result. */
export type PipelineDefinition<Shape> = Pick<MetricDefinition<Shape>, "render"> &
  Pick<MetricDefinition<Shape | undefined>, "metric" | "typedName"> &
  Required<Pick<Aggregation<Shape>, "pipeline">>;

/** An aggregation with buckets, which may have sub-aggregations. */
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

/** An aggregation without sub-aggregations. */
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

/** An aggregation that computes from the results of others. */
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
 * Takes the shape away. A partial is only ever given to the aggregation that left it: every node of a search makes the tree from
 * the same request, and partials stand where their aggregations do.
 */
function sealed<Shape>(aggregation: Aggregation<Shape>): Aggregation {
  return aggregation as unknown as Aggregation;
}
