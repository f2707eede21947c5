/**
 * INV-ALLOC-6: a copy that becomes primary other than by relocation was in the in-sync set before, and has a higher
 * primary term; primary terms never decrease; active copies are in sync, only active copies enter the in-sync set, and
 * it never becomes empty; a copy enters it only with all operations up to the global checkpoint.
 *
 * Every index of the run is judged. A primary created empty, from a snapshot, or by a forced allocation starts a new
 * history, which is not compared with the old one. The same holds for an imported dangling index: it has the state its
 * node last knew, and may have missed changes of the primary.
 */
import { nothingToCompare } from "./open-indices.ts";
import type { RecordedEvent } from "../world.ts";
import { concerning, type Checker, type Finding } from "./checker.ts";

type Copies = Extract<RecordedEvent, { readonly kind: "shard-copies-changed" }>;
type LetIn = Extract<RecordedEvent, { readonly kind: "copy-let-in" }>;

interface Known {
  readonly last: Copies;
  /** Last active primary; empty before the first. */
  readonly primary: string;
  readonly primaryTerm: number;
  /** Primary term at the time at which the last active primary became primary. */
  readonly activeTerm: number;
  readonly inSync: string;
  /** Recovery source of the next primary. */
  readonly source: string;
}

export const inSyncRules: Checker = {
  name: "in-sync-rules",
  invariant: "INV-ALLOC-6",
  says: "Only an in-sync copy becomes primary, with a higher primary term; active copies are in sync; a copy enters the in-sync set with every operation up to the global checkpoint; primary terms never decrease.",
  excusedBy: [],
  complaint: nothingToCompare,
  start: (world) => {
    const shards = new Map<string, Known>();
    return (event) => {
      if (event.kind === "copy-let-in") return judgeLetIn(event);
      if (event.kind !== "shard-copies-changed") return undefined;
      const key = `${world.clusterOf(event.node)}/${event.indexUuid}/${event.shard}`;
      const known = shards.get(key);
      // Every node reports each version; the first report counts.
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
      const { index, shard, node } = event;
      return says === undefined
        ? undefined
        : concerning(`${index}/${shard}: ${says}`, { index, shard, node });
    };
  },
};

function judgeLetIn(event: LetIn): Finding {
  const { index, shard, allocationId, localCheckpoint, globalCheckpoint } = event;
  if (localCheckpoint >= globalCheckpoint) return undefined;
  return concerning(
    `${index}/${shard}: [${allocationId}] was let in with everything up to ${localCheckpoint}, and the global checkpoint is ${globalCheckpoint}`,
    { index, shard, node: event.node },
  );
}

/** Placeholder in the in-sync set from a forced allocation of a stale copy until this copy has started. */
const FORCED = "_forced_allocation_";

function judge(before: Known, now: Copies): string | undefined {
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
