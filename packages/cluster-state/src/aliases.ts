/** Rules for aliases (`AliasValidator`, `Metadata.Builder`): valid names, and properties that all indices of an alias must share. */
import type { Problem } from "@orrery/stdx";
import { streamAliasProblem } from "./data-streams.ts";
import { nameComplaint } from "./index-names.ts";
import type { AliasMetadata, ClusterState, IndexMetadata } from "./types.ts";

/** Why the alias may not be added to the index; undefined when it may. */
export function aliasProblem(
  state: ClusterState,
  index: { readonly name: string; readonly uuid: string },
  alias: string,
  metadata: AliasMetadata,
): Problem | undefined {
  const problem = aliasNameProblem(alias, metadata);
  if (problem !== undefined) return problem;
  const existing = state.metadata.indices.get(alias) ?? (alias === index.name ? index : undefined);
  if (existing === undefined) return streamAliasProblem(state, index, alias);
  return {
    type: "invalid_alias_name_exception",
    reason: `Invalid alias name [${alias}], an index exists with the same name as the alias`,
    status: 400,
    metadata: { index: existing.name, index_uuid: existing.uuid },
  };
}

/** The problem of an alias that has the name of an index. */
export function takenAliasProblem(
  { name, uuid }: { readonly name: string; readonly uuid: string },
  alias: string,
): Problem {
  return {
    type: "illegal_state_exception",
    reason: `index, alias, and data stream names need to be unique, but the following duplicates were found [${alias} (alias of [${name}/${uuid}]) conflicts with index]`,
    status: 500,
  };
}

/**
 * The problem of an alias by itself: of its name or its index routing, without regard to the indices of the state;
 * undefined when there is none.
 */
export function aliasNameProblem(alias: string, metadata: AliasMetadata): Problem | undefined {
  if (alias.trim() === "") return illegal("alias name is required");
  const complaint = nameComplaint(alias);
  if (complaint !== undefined) {
    return {
      type: "invalid_alias_name_exception",
      reason: `Invalid alias name [${alias}]: ${complaint}`,
      status: 400,
    };
  }
  if (metadata.indexRouting?.includes(",") === true) {
    return illegal(`alias [${alias}] has several index routing values associated with it`);
  }
  return undefined;
}

/**
 * The problem of the first of these aliases whose indices contradict each other: more than one is the write index, or
 * the alias is hidden on some of them only. Undefined when there is none.
 */
export function aliasAgreementProblem(
  indices: Iterable<IndexMetadata>,
  aliases: Iterable<string>,
): Problem | undefined {
  const holdersOf = new Map([...aliases].map((alias): [string, IndexMetadata[]] => [alias, []]));
  for (const index of indices) {
    // The smaller of both collections is iterated, so that the cost is never the product of indices and aliases.
    const fewer = index.aliases.size < holdersOf.size ? index.aliases : holdersOf;
    for (const alias of fewer.keys()) {
      if (index.aliases.has(alias)) holdersOf.get(alias)?.push(index);
    }
  }
  for (const [alias, holders] of holdersOf) {
    const problem = writeIndexProblem(alias, holders) ?? hiddenProblem(alias, holders);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function writeIndexProblem(alias: string, holders: readonly IndexMetadata[]): Problem | undefined {
  const writers = holders
    .filter(({ aliases }) => aliases.get(alias)?.isWriteIndex === true)
    .map(({ name }) => name);
  if (writers.length < 2) return undefined;
  return illegalState(`alias [${alias}] has more than one write index [${writers.join(",")}]`);
}

function hiddenProblem(alias: string, holders: readonly IndexMetadata[]): Problem | undefined {
  const isHidden = ({ aliases }: IndexMetadata): boolean => aliases.get(alias)?.isHidden === true;
  const hidden = holders.filter(isHidden).map(({ name }) => name);
  if (hidden.length === 0 || hidden.length === holders.length) return undefined;
  const shown = holders.filter((index) => !isHidden(index)).map(({ name }) => name);
  return illegalState(
    `alias [${alias}] has is_hidden set to true on indices [${hidden.join(",")}] but does not have is_hidden set to true on indices [${shown.join(",")}]; alias must have the same is_hidden setting on all indices`,
  );
}

function illegal(reason: string): Problem {
  return { type: "illegal_argument_exception", reason, status: 400 };
}

function illegalState(reason: string): Problem {
  return { type: "illegal_state_exception", reason, status: 500 };
}
