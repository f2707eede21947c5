/** Claims about creation, closing, opening and deletion of indices: an index is open, closed or gone. */
import {
  allIndices,
  GONE,
  isLenient,
  memberAt,
  plainNames,
  type ChangeKind,
  type Claim,
} from "./change.ts";

type IndexState = "open" | "close" | typeof GONE;

export const indexStates: ChangeKind = (sent) => {
  const { method, path } = sent;
  const [list = "", action] = path;
  if (list.startsWith("_") && list !== "_all") return undefined;
  const becomes = path.length > 2 ? undefined : becomesOf(method, action);
  if (becomes === undefined) return undefined;
  const names = plainNames(list);
  if (names === undefined) return { claims: [], touches: allIndices };
  const isJudged = becomes === GONE || !isLenient(sent);
  const touches = names.flatMap((name) => [`index/${name}`, `index-part/${name}`]);
  const isMade = method === "PUT";
  return {
    claims: isJudged ? names.map((name) => indexState(name, becomes, isMade)) : [],
    touches,
  };
};

function becomesOf(method: string, action: string | undefined): IndexState | undefined {
  if (action === "_close" || action === "_open") {
    if (method !== "POST") return undefined;
    return action === "_close" ? "close" : "open";
  }
  if (action !== undefined && action !== "") return undefined;
  if (method === "PUT") return "open";
  return method === "DELETE" ? GONE : undefined;
}

/**
 * Claim about the state of an index. `isMade`: the request created it; otherwise the name may be an alias, and an
 * answer without an index of this name says nothing.
 */
export function indexState(name: string, becomes: IndexState, isMade = false): Claim {
  const isName = isMade || becomes === GONE;
  return {
    part: `index/${name}`,
    name: `[${name}]`,
    becomes,
    uri: `/_cluster/state/metadata/${encodeURIComponent(name)}?filter_path=metadata.indices.*.state`,
    find: ({ status, body }) => {
      if (status !== 200) return undefined;
      const state = memberAt(body, ["metadata", "indices", name, "state"]);
      if (state === "open" || state === "close") return state;
      return isName ? GONE : undefined;
    },
  };
}
