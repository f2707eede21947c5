/** Options of index expressions (`IndicesOptions`): which indices they may match, the product's presets, and request parameters. */
import { illegalArgument } from "@orrery/stdx";

/** The options, by the product's names. */
export interface IndicesOptions {
  readonly ignoreUnavailable: boolean;
  readonly allowNoIndices: boolean;
  readonly expandOpen: boolean;
  readonly expandClosed: boolean;
  readonly expandHidden: boolean;
  readonly forbidClosedIndices: boolean;
  readonly allowAliasesToMultipleIndices: boolean;
  readonly ignoreAliases: boolean;
  /** Unless false, the name of a data stream stands for its backing indices. */
  readonly includeDataStreams?: boolean;
}

/** Request parameters that override an operation's options. */
export interface IndicesOptionsParameters {
  readonly ignore_unavailable?: boolean | undefined;
  readonly allow_no_indices?: boolean | undefined;
  readonly expand_wildcards?: string | readonly string[] | undefined;
}

const strict = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  expandHidden: false,
  forbidClosedIndices: false,
  allowAliasesToMultipleIndices: true,
  ignoreAliases: false,
};

/** The product's presets, by their names. */
export const indicesOptions: {
  readonly strictExpandOpen: IndicesOptions;
  readonly strictExpandOpenAndForbidClosed: IndicesOptions;
  readonly strictExpand: IndicesOptions;
  readonly strictExpandHidden: IndicesOptions;
  readonly strictExpandOpenHidden: IndicesOptions;
  readonly strictSingleIndexNoExpandForbidClosed: IndicesOptions;
  readonly strictNoExpand: IndicesOptions;
  readonly lenientExpandOpen: IndicesOptions;
  readonly lenientExpandOpenHidden: IndicesOptions;
  readonly lenientExpand: IndicesOptions;
  readonly lenientExpandHidden: IndicesOptions;
} = {
  strictExpandOpen: strict,
  strictExpandOpenAndForbidClosed: { ...strict, forbidClosedIndices: true },
  strictExpand: { ...strict, expandClosed: true },
  strictExpandHidden: { ...strict, expandClosed: true, expandHidden: true },
  strictExpandOpenHidden: { ...strict, expandHidden: true },
  strictSingleIndexNoExpandForbidClosed: {
    ...strict,
    allowNoIndices: false,
    expandOpen: false,
    forbidClosedIndices: true,
    allowAliasesToMultipleIndices: false,
    includeDataStreams: false,
  },
  strictNoExpand: { ...strict, allowNoIndices: false, expandOpen: false },
  lenientExpandOpen: { ...strict, ignoreUnavailable: true },
  lenientExpandOpenHidden: { ...strict, ignoreUnavailable: true, expandHidden: true },
  lenientExpand: { ...strict, ignoreUnavailable: true, expandClosed: true },
  lenientExpandHidden: {
    ...strict,
    ignoreUnavailable: true,
    expandClosed: true,
    expandHidden: true,
  },
};

/** An operation's default options, overridden by those of the request. Throws for an unknown `expand_wildcards` value. */
export function withParameters(
  defaults: IndicesOptions,
  parameters: IndicesOptionsParameters,
): IndicesOptions {
  return {
    ...defaults,
    ...expansionOf(defaults, parameters.expand_wildcards),
    ignoreUnavailable: parameters.ignore_unavailable ?? defaults.ignoreUnavailable,
    allowNoIndices: parameters.allow_no_indices ?? defaults.allowNoIndices,
  };
}

type Expansion = Pick<IndicesOptions, "expandOpen" | "expandClosed" | "expandHidden">;

function expansionOf(
  defaults: IndicesOptions,
  wildcards: string | readonly string[] | undefined,
): Expansion {
  if (wildcards === undefined) return defaults;
  const values = typeof wildcards === "string" ? wildcards.split(",") : wildcards;
  let expansion: Expansion = { expandOpen: false, expandClosed: false, expandHidden: false };
  for (const value of values) expansion = expandedBy(expansion, value);
  return expansion;
}

function expandedBy(expansion: Expansion, value: string): Expansion {
  switch (value) {
    case "open":
      return { ...expansion, expandOpen: true };
    case "closed":
      return { ...expansion, expandClosed: true };
    case "hidden":
      return { ...expansion, expandHidden: true };
    case "none":
      return { expandOpen: false, expandClosed: false, expandHidden: false };
    case "all":
      return { expandOpen: true, expandClosed: true, expandHidden: true };
    default:
      throw illegalArgument(`No valid expand wildcard value [${value}]`);
  }
}
