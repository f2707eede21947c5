/** Shape of a plan's indices in a file, by name; each is validated as by a cluster that has the indices before it. */
import { coreProduct } from "@orrery/node";
import { createIndexValidator, type IndexValidator } from "@orrery/rest";
import type { JsonObject } from "@orrery/stdx";
import { dataShape } from "./data-shape.ts";
import { checkKeys, readName, refuseProblem, type Field, type Fields } from "./fields.ts";
import { indexBody } from "./index-body.ts";
import type { IndexPlan } from "./plan.ts";
import {
  fieldsOf,
  integer,
  jsonObject,
  keysOf,
  may,
  or,
  readKeys,
  schemaOf,
  text,
  writeKeys,
  type Context,
  type Keys,
  type Shape,
} from "./shape.ts";

type IndexKeys = Omit<IndexPlan, "name">;

export const indexKeys: Keys<IndexKeys> = {
  cluster: or(text, "", "name of the cluster; default: the first"),
  shards: or(integer(1, 1024), 1, "number_of_shards"),
  replicas: or(integer(0, 100), 1, "number_of_replicas"),
  settings: or(jsonObject, {}, "other index settings"),
  mappings: or(jsonObject, {}, "mappings"),
  aliases: or(jsonObject, {}, "aliases"),
  data: may(dataShape, "initial data"),
};

export const indices: Shape<readonly IndexPlan[]> = {
  read: (field, _what, context) => {
    const judges = new Map<string, IndexValidator>();
    return [...fieldsOf(field, "indices").values].map(([name, one]) => {
      const fields = fieldsOf(one, name);
      checkKeys(fields, keysOf(indexKeys));
      const read = { name, ...readKeys(fields, indexKeys, context) };
      const cluster = readCluster(read.cluster, fields, context);
      const judge = judges.get(cluster) ?? createIndexValidator(context.product ?? coreProduct);
      judges.set(cluster, judge);
      checkIndex(read, one, judge);
      return { ...read, cluster };
    });
  },
  write: (plans) =>
    Object.fromEntries(plans.map(({ name, ...plan }) => [name, writeKeys(plan, indexKeys)])),
  schema: { type: "object", additionalProperties: schemaOf(indexKeys) },
  says: "indices by name",
};

/**
 * Validates an index as a cluster does, from its name to its aliases; the error refers to the key that completes the
 * invalid combination.
 */
function checkIndex(index: IndexPlan, field: Field, judge: IndexValidator): void {
  let judged: JsonObject = {};
  refuseProblem(field.place, judge.problemOf(index.name, judged));
  const { values } = fieldsOf(field, index.name);
  for (const [key, value] of Object.entries(indexBody(index))) {
    judged = { ...judged, [key]: value };
    const { place } = values.get(key) ?? field;
    refuseProblem(place, judge.problemOf(index.name, judged));
  }
  judge.create(index.name, judged);
}

function readCluster(given: string, fields: Fields, { clusters: known }: Context): string {
  if (given === "") return known[0] ?? "";
  const field = fields.values.get("cluster");
  if (field !== undefined) readName(field, "cluster", known);
  return given;
}
