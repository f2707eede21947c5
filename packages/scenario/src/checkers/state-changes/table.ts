/** Table of the kinds of state changes; the first kind that matches a request counts. */
import type { ClientRequest } from "../../world.ts";
import { aliasActions, aliasOfIndex } from "./aliases.ts";
import { sentOf, type ChangeKind, type StateChange } from "./change.ts";
import { indexStates } from "./index-states.ts";
import { mappings } from "./mappings.ts";
import { clusterSettings, indexBlocks, indexSettings } from "./settings.ts";
import { documentWrites, indicesMadeOtherwise, replications, restores } from "./side-effects.ts";
import { templates } from "./templates.ts";

const kinds: readonly ChangeKind[] = [
  documentWrites,
  indexStates,
  indexSettings,
  indexBlocks,
  mappings,
  aliasOfIndex,
  aliasActions,
  templates,
  clusterSettings,
  restores,
  indicesMadeOtherwise,
  replications,
];

/** Effect of a request on the cluster state; `undefined` if it has none that the checker knows. */
export function changeOf(request: ClientRequest): StateChange | undefined {
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  const sent = sentOf(request);
  for (const kind of kinds) {
    const change = kind(sent);
    if (change !== undefined) return change;
  }
  return undefined;
}
