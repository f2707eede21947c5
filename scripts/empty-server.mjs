/** Deletes everything that a server holds: indices, templates, pipelines, repositories with their snapshots, settings, contexts. */

const paths = [
  "/_cluster/decommission/awareness",
  "/_cluster/voting_config_exclusions?wait_for_removal=false",
  // The index that a data stream writes to goes with its stream only.
  "/_data_stream/*",
  "/_all?expand_wildcards=all",
  "/_template/*",
  "/_index_template/*",
  "/_component_template/*",
  "/_ingest/pipeline/*",
  "/_search/scroll/_all",
  "/_search/point_in_time/_all",
];

/** Empties the server. A kind that it does not have, or has none of, is an error in its answer, which does not matter. */
export async function emptyServer(url) {
  const ask = async (method, path, body) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(
      new URL(path, url),
      body === undefined ? { method } : { method, body, headers },
    );
    return response.text();
  };
  for (const name of Object.keys(JSON.parse(await ask("GET", "/_snapshot")))) {
    await ask("DELETE", `/_snapshot/${name}/*`);
    await ask("DELETE", `/_snapshot/${name}`);
  }
  const settings = { persistent: { "*": null }, transient: { "*": null } };
  await ask("PUT", "/_cluster/settings", JSON.stringify(settings));
  for (const path of paths) await ask("DELETE", path);
}
