/**
 * Renewal of a world without new processes: everything that requests may have created is removed, and the fixture
 * created again.
 */
import { createFixture, FixtureError, requestOf, type Ask } from "./fixture.ts";
import { askOf, memberOf, type LiveWorld } from "./live-world.ts";

type Removal = readonly [method: string, uri: string, body?: { readonly [key: string]: unknown }];

const everySetting = { persistent: { "*": null }, transient: { "*": null } };

/** Removals in order: settings and blocks could prevent the later ones. */
const removals: readonly Removal[] = [
  ["PUT", "/_cluster/settings", everySetting],
  ["DELETE", "/_cluster/voting_config_exclusions?wait_for_removal=false"],
  ["DELETE", "/_cluster/decommission/awareness"],
  ["DELETE", "/_cluster/routing/awareness/zone/weights"],
  ["DELETE", "/_search/scroll/_all"],
  ["DELETE", "/_search/point_in_time/_all"],
  ["DELETE", "/_data_stream/*"],
  ["DELETE", "/*?expand_wildcards=all"],
  ["DELETE", "/_index_template/*"],
  ["DELETE", "/_template/*"],
  ["DELETE", "/_component_template/*"],
  ["DELETE", "/_snapshot/*"],
];

/**
 * Renews the world; false if all attempts failed. `round` is part of names that cannot be reused, such as that of a
 * repository's folder, since a folder is not removed.
 */
export async function renew(world: LiveWorld, nodes: number, round: number): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await tryRenew(world, nodes, round * ATTEMPTS + attempt)) return true;
  }
  return false;
}

/** Attempts, as requests that are still pending may create things between the removals. */
const ATTEMPTS = 3;

async function tryRenew(world: LiveWorld, nodes: number, round: number): Promise<boolean> {
  const ask = askOf(world, await memberOf(world));
  await removeAll(ask);
  const { cluster, known } = world;
  try {
    await createFixture(ask, { nodes, repositories: cluster.repositories, known, round });
    world.mayHoldShards = false;
    return await isGreen(ask);
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    return false;
  }
}

export async function removeAll(ask: Ask): Promise<void> {
  for (const [method, uri, body] of removals) {
    // Removing a missing index fails; the later steps show whether the renewal succeeded.
    await ask(requestOf(method, uri, body as never));
  }
}

async function isGreen(ask: Ask): Promise<boolean> {
  const uri = "/_cluster/health/books,untouched?wait_for_status=green&timeout=20s";
  const answer = await ask(requestOf("GET", uri));
  return answer !== undefined && answer.status === 200;
}
