/** Requests whose answers are about nodes, copies, bytes or time: they legitimately differ between arrangements. */

const tellingPaths: readonly RegExp[] = [
  /^\/_cluster(?!\/settings\b)\b/,
  /^\/_cat\/(?!aliases|count|templates|repositories|help)/,
  /^\/_cat\/?$/,
  /^\/_(nodes|tasks|recovery|segments|shard_stores|stats|search_shards|remote|dangling|resolve)\b/,
  /^\/[^/]+\/_(recovery|segments|shard_stores|stats|search_shards)\b/,
  // Times and bytes of background work.
  /^\/_snapshot\/.*_(status|cleanup|verify)\b/,
  /^\/_(wlm|list|plugins|ingestion|data_stream\/.*_stats|data_stream\/_stats)\b/,
  /[?&](profile|explain)\b/,
  // One node has one copy of a shard.
  /[?&]wait_for_active_shards=(?![01]\b)/,
];

export function tellsOfPlacement(uri: string): boolean {
  return tellingPaths.some((path) => path.test(uri));
}
