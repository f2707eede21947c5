/**
 * Pairs of start and end events: a client's request with its response, a fault's start with its
 * end.
 */
import type Database from "better-sqlite3";
import type { RecordedEvent } from "./types.ts";

export interface OperationLog {
  add(event: RecordedEvent): void;
  writeTo(database: Database.Database): void;
}

interface Operation {
  readonly client: string;
  readonly id: number;
  readonly operation: string;
  readonly invokedMs: number;
  completedMs: number | null;
  status: number | null;
  outcome: string;
}

interface Fault {
  readonly kind: string;
  readonly description: string;
  readonly fromMs: number;
  toMs: number | null;
}

export function createOperationLog(): OperationLog {
  const operations = new Map<string, Operation>();
  const faults: Fault[] = [];
  return {
    add: (event) => {
      if (event.kind === "client-request") {
        const { client, id, operation, at_ms: invokedMs } = event;
        const begun = { client, id, operation, invokedMs };
        operations.set(`${client}:${id}`, {
          ...begun,
          completedMs: null,
          status: null,
          outcome: "unknown",
        });
      } else if (event.kind === "client-response") {
        const operation = operations.get(`${event.client}:${event.id}`);
        if (operation === undefined) return;
        operation.completedMs = event.at_ms;
        operation.status = event.status;
        operation.outcome = event.outcome;
      } else if (event.kind === "fault-started") {
        const { fault: kind, description, at_ms: fromMs } = event;
        faults.push({ kind, description, fromMs, toMs: null });
      } else if (event.kind === "fault-ended") {
        const { fault: kind, description, at_ms: toMs } = event;
        const open = faults.find(
          (fault) =>
            fault.toMs === null && fault.kind === kind && fault.description === description,
        );
        if (open !== undefined) open.toMs = toMs;
      }
    },
    writeTo: (database) => {
      const insert = database.prepare("INSERT INTO operations VALUES (?,?,?,?,?,?,?)");
      for (const one of operations.values()) {
        insert.run(
          ...[one.client, one.id, one.operation, one.invokedMs],
          ...[one.completedMs, one.status, one.outcome],
        );
      }
      const insertFault = database.prepare("INSERT INTO faults VALUES (?,?,?,?,?)");
      faults.forEach(({ kind, description, fromMs, toMs }, i) => {
        insertFault.run(i + 1, kind, description, fromMs, toMs);
      });
    },
  };
}
