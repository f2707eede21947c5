/** `ingest.simulate`: runs documents through a pipeline without writing them. */
import {
  isTreeObject,
  javaText,
  METADATA,
  Options,
  printTree,
  readMap,
  type Metadata,
  type SimulatedDocument,
  type TreeObject,
} from "@orrery/node";
import { illegalArgument } from "@orrery/stdx";
import { missingBodyOrSource } from "../../body.ts";
import type { Content } from "../../content.ts";
import { errorBody } from "../../errors.ts";
import { raw, type Printable } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, versionTypeNamed } from "../../parameters.ts";

export const ingestSimulate: Operation = defineOperation({
  group: "ingest.simulate",
  permission: "cluster:admin/ingest/pipeline/simulate",
  routes: [
    "GET /_ingest/pipeline/_simulate",
    "POST /_ingest/pipeline/_simulate",
    "GET /_ingest/pipeline/{id}/_simulate",
    "POST /_ingest/pipeline/{id}/_simulate",
  ],
  query: { verbose: flag(false) },
  body: (content: Content | undefined): TreeObject => {
    if (content === undefined) throw missingBodyOrSource();
    return readMap(content.bytes);
  },
  deviations: [
    {
      kind: "behaviour",
      name: "verbose",
      reason: "rejected: the results of single processors are not recorded",
    },
  ],

  async handle({ path, query, body, request }, cluster) {
    if (query.verbose) throw illegalArgument("[verbose] is not supported");
    const options = new Options(body);
    const pipeline = path["id"] ?? options.map("pipeline");
    const documents = documentsIn(options);
    const simulated = await cluster.simulatePipeline({ pipeline, documents });
    return { body: { docs: simulated.map((one) => shown(one, request.isDetailed)) } };
  },
});

interface Given {
  readonly source: TreeObject;
  readonly metadata: Metadata;
}

function documentsIn(options: Options): readonly Given[] {
  const given = options.list("docs");
  if (given.length === 0) throw illegalArgument("must specify at least one document in [docs]");
  return given.map((one) => {
    if (!isTreeObject(one))
      throw illegalArgument("malformed [docs] section, should include an inner object");
    return documentOf(new Options(one));
  });
}

function documentOf(options: Options): Given {
  const source = options.map("_source");
  return {
    source,
    metadata: {
      _index: options.scalarText("_index") ?? "_index",
      _id: options.scalarText("_id") ?? "_id",
      _routing: options.scalarText("_routing"),
      _version: options.integer("_version"),
      _version_type: versionTypeIn(options),
      _if_seq_no: options.integer("_if_seq_no"),
      _if_primary_term: options.integer("_if_primary_term"),
    },
  };
}

function versionTypeIn(options: Options): string | undefined {
  return options.has("_version_type") ? versionTypeNamed(options.text("_version_type")) : undefined;
}

/** A simulated document. Its metadata may hold any text, number or list that a processor has set. */
function shown(simulated: SimulatedDocument, isDetailed: boolean): Printable {
  switch (simulated.kind) {
    case "dropped":
      return null;
    case "failed":
      return { error: errorBody(simulated.problem, { isDetailed }) };
    case "kept": {
      const { source, metadata, run } = simulated;
      const members = METADATA.flatMap((name) => {
        const value = metadata.get(name) ?? null;
        return value === null ? [] : [[name, javaText(value)] as const];
      });
      const parts = { _source: raw(printTree(source)), _ingest: raw(printTree(run)) };
      return { doc: { ...Object.fromEntries(members), ...parts } };
    }
  }
}
