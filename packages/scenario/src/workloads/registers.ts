/** Clients that read and write a few documents repeatedly, many of the writes with a compare-and-set. */
import { isJsonObject, type Json } from "@orrery/stdx";
import type { Operation } from "../history.ts";
import { integer, must, or, text } from "../shape.ts";
import {
  anyNodeOf,
  ask,
  clientKeys,
  drawClients,
  isDocumentMissing,
  judge,
  rememberPosition,
  runClients,
  type Worker,
} from "./clients.ts";
import type { Clients, WorkloadRow } from "./workload.ts";

export interface Registers extends Clients {
  readonly kind: "registers";
  readonly index: string;
  readonly documents: number;
}

export const registers: WorkloadRow<Registers> = {
  says: "Reads, writes and deletes a few documents, many of the writes as compare-and-set on what was read.",
  keys: {
    index: must(text, "index of the documents"),
    documents: or(integer(1, 100_000), 10, "number of documents"),
    ...clientKeys,
  },
  writes: () => true,
  draw: (scene) => ({
    kind: "registers",
    index: scene.index().name,
    documents: scene.ms(1, 20),
    ...drawClients(scene),
  }),
  run: (workload, run) => {
    /** Last known position of each document, by client. */
    const seen = new Map<string, Place>();
    return runClients(workload, run, async (worker, turn) => {
      const { random } = worker;
      const document = `${run.name}-${random.int(0, workload.documents - 1)}`;
      const key = `${worker.number}/${document}`;
      const planned = plan(workload, document, {
        choice: random.int(0, 99),
        // No two writes of a run may have the same value.
        value: worker.number * 1_000_000 + turn,
        place: seen.get(key),
      });
      const operation = await carryOut(workload, worker, planned);
      const { seqNo, primaryTerm, outcome } = operation;
      const isKnown = outcome === "ok" && seqNo !== undefined && primaryTerm !== undefined;
      if (isKnown && operation.kind !== "delete") seen.set(key, { seqNo, primaryTerm });
      else seen.delete(key);
    });
  },
};

interface Place {
  readonly seqNo: number;
  readonly primaryTerm: number;
}

interface Planned {
  readonly method: string;
  readonly uri: string;
  readonly operation: Pick<Operation, "kind" | "wrote" | "ifSeqNo" | "ifPrimaryTerm">;
  readonly document: string;
}

interface Draw {
  readonly choice: number;
  readonly value: number;
  readonly place: Place | undefined;
}

/** Plans a request: a third are reads; most writes are conditional, if the client knows a position. */
function plan({ index }: Registers, document: string, { choice, value, place }: Draw): Planned {
  const uri = `/${index}/_doc/${document}`;
  if (choice < 30) return { method: "GET", uri, operation: { kind: "get" }, document };
  if (choice < 38) return { method: "DELETE", uri, operation: { kind: "delete" }, document };
  if (choice < 48) {
    const operation = { kind: "create", wrote: value } as const;
    return { method: "PUT", uri: `/${index}/_create/${document}`, operation, document };
  }
  const operation = { kind: "index", wrote: value } as const;
  if (place === undefined || choice < 60) return { method: "PUT", uri, operation, document };
  const { seqNo: ifSeqNo, primaryTerm: ifPrimaryTerm } = place;
  return {
    method: "PUT",
    uri: `${uri}?if_seq_no=${ifSeqNo}&if_primary_term=${ifPrimaryTerm}`,
    operation: { ...operation, ifSeqNo, ifPrimaryTerm },
    document,
  };
}

async function carryOut(
  workload: Registers,
  worker: Worker,
  { method, uri, operation: planned, document }: Planned,
): Promise<Operation> {
  const { wrote } = planned;
  const request = {
    method,
    uri,
    ...(wrote === undefined ? {} : { body: JSON.stringify({ value: wrote }) }),
    timeoutMs: workload.timeoutMs,
  };
  const node = anyNodeOf(workload, worker);
  const { index } = workload;
  const { answer, operations } = await ask(worker, node, request, [
    { ...planned, index, document },
  ]);
  const [operation] = operations;
  if (operation === undefined) throw new Error("one request is one operation");
  if (answer === undefined) return operation;
  judge(operation, answer);
  rememberPosition(operation, answer.body);
  if (planned.kind === "get" && operation.outcome === "ok") {
    operation.read = isDocumentMissing(answer) ? null : valueOf(answer.body);
  }
  return operation;
}

function valueOf(body: Json): Json {
  const source = isJsonObject(body) ? body["_source"] : undefined;
  return (isJsonObject(source) ? source["value"] : undefined) ?? null;
}
