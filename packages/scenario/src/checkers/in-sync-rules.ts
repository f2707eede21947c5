/**
 * INV-ALLOC-6: a copy that becomes primary otherwise than by a relocation was in the in-sync set before, and has a greater
 * primary term; primary terms never fall; active copies are in sync, and only active ones come into the in-sync set, which
 * does not become empty; a copy is let in only when it has everything up to the global checkpoint.
 *
 * Every index of the run is judged, whoever made it. A primary made of nothing, of a snapshot, or by force starts a new history: it is not judged by the old one. So does an index
 * that dangled: it is as its node last knew it, which may have missed a primary or two.
 */
import { nothingToCompare } from "./open-indices.ts";
import type { RecordedEvent } from "../world.ts";
import type { Checker, Finding } from "./checker.ts";

type Copies = Extract<RecordedEvent, { readonly kind: "shard-copies-changed" }>;
type LetIn = Extract<RecordedEvent, { readonly kind: "copy-let-in" }>;

interface Known {
  readonly last: Copies;
  /** The last active primary; empty before there is one. */
  readonly primary: string;
  readonly primaryTerm: number;
  /** The primary term when the last active primary became one. */
  readonly activeTerm: number;
  readonly inSync: string;
  /** Where the contents of the next primary come from. */
  readonly source: string;
}

export const inSyncRules: Checker = {
  name: "in-sync-rules",
  invariant: "INV-ALLOC-6",
  says: "Only a copy of the in-sync set becomes primary, under a greater term; active copies are in sync, and have everything up to the global checkpoint when they are let in; primary terms never fall.",
  excusedBy: [],
  complaint: nothingToCompare,
  start: (world) => {
    const shards = new Map<string, Known>();
    return (event) => {
      if (event.kind === "copy-let-in") return judgeLetIn(event);
      if (event.kind !== "shard-copies-changed") return undefined;
      const key = `${world.clusterOf(event.node)}/${event.indexUuid}/${event.shard}`;
      const known = shards.get(key);
      // Every node tells it; the first one counts.
      if (known !== undefined && event.version <= known.last.version) return undefined;
      const before = event.isImported === true ? undefined : known;
      shards.set(key, {
        last: event,
        primary: event.primary === "" ? (before?.primary ?? "") : event.primary,
        primaryTerm: event.primaryTerm,
        activeTerm: event.primary === "" ? (before?.activeTerm ?? 0) : event.primaryTerm,
        inSync: event.inSync === "" ? (before?.inSync ?? "") : event.inSync,
        source: event.primary === "" ? event.recoverySource || (before?.source ?? "") : "",
      });
      const says = before && judge(before, event);
      return says === undefined ? undefined : `${event.index}/${event.shard}: ${says}`;
    };
  },
};

function judgeLetIn(event: LetIn): Finding {
  const { index, shard, allocationId, localCheckpoint, globalCheckpoint } = event;
  if (localCheckpoint >= globalCheckpoint) return undefined;
  return `${index}/${shard}: [${allocationId}] was let in with everything up to ${localCheckpoint}, and the global checkpoint is ${globalCheckpoint}`;
}

/** Stands in the in-sync set from a forced allocation of a stale copy until this copy has started. */
const FORCED = "_forced_allocation_";

function judge(before: Known, now: Copies): Finding {
  const isForced = idsOf(before.inSync).includes(FORCED) || idsOf(now.inSync).includes(FORCED);
  const hasNewHistory = isForced || (before.source !== "" && before.source !== "EXISTING_STORE");
  if (now.primaryTerm < before.primaryTerm)
    return `the primary term fell from ${before.primaryTerm} to ${now.primaryTerm}`;
  const inSync = idsOf(now.inSync);
  const late = idsOf(now.active).find((id) => !inSync.includes(id));
  if (late !== undefined) return `the active copy [${late}] is not in the in-sync set`;
  if (hasNewHistory) return undefined;
  const active = idsOf(now.active);
  const early = inSync.find((id) => !idsOf(before.inSync).includes(id) && !active.includes(id));
  if (early !== undefined) return `[${early}] is in the in-sync set and was never active`;
  if (now.inSync === "" && before.inSync !== "" && now.recoverySource === "EXISTING_STORE")
    return "the in-sync set became empty";
  if (now.primary === "" || now.primary === before.primary || before.primary === "")
    return undefined;
  if (now.isRelocated) return undefined;
  if (!idsOf(before.inSync).includes(now.primary))
    return `[${now.primary}] became primary and was not in the in-sync set [${before.inSync}]`;
  if (now.primaryTerm > before.activeTerm) return undefined;
  return `[${now.primary}] became primary in the primary term ${now.primaryTerm} of [${before.primary}]`;
}

function idsOf(list: string): readonly string[] {
  return list === "" ? [] : list.split(",");
}
