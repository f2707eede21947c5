/** The status of a node, as copies that stay valid after later steps (`status.go` of etcd-io/raft). */
import { progressStatus } from "./progress.ts";
import { hardStateOf, softStateOf, type Raft } from "./raft.ts";
import type { BasicStatus, ProgressStatus, Status } from "./types.ts";

export function basicStatusOf(raft: Raft): BasicStatus {
  return {
    id: raft.id,
    hardState: hardStateOf(raft),
    softState: softStateOf(raft),
    applied: raft.log.applied,
    leadTransferee: raft.leadTransferee,
  };
}

/** The full status; the progress of the followers is known to the leader alone. */
export function statusOf(raft: Raft): Status {
  const progress = new Map<number, ProgressStatus>();
  if (raft.role === "StateLeader") {
    for (const [id, value] of raft.tracker.progress) progress.set(id, progressStatus(value));
  }
  return { ...basicStatusOf(raft), configuration: raft.tracker.configuration, progress };
}
