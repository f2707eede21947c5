/** Valid bodies by operation group: the generator starts from them where no request was recorded. */
import { lookup } from "@orrery/stdx";
import type { Json } from "@orrery/stdx";

/** Fields of the session's index `books`, by type. */
export const mapping: Json = {
  properties: {
    title: { type: "text", fields: { raw: { type: "keyword" } } },
    body: { type: "text", analyzer: "english" },
    tag: { type: "keyword" },
    n: { type: "integer" },
    l: { type: "long" },
    price: { type: "double" },
    d: { type: "date" },
    b: { type: "boolean" },
    ip: { type: "ip" },
    loc: { type: "geo_point" },
    bin: { type: "binary" },
    o: { type: "object" },
    c: {
      type: "nested",
      properties: { who: { type: "keyword" }, text: { type: "text" }, stars: { type: "integer" } },
    },
  },
};

export const fields: readonly string[] = [
  ...[
    "title",
    "title.raw",
    "body",
    "tag",
    "n",
    "l",
    "price",
    "d",
    "b",
    "ip",
    "loc",
    "bin",
    "o",
    "c",
  ],
  ...["c.who", "c.text", "c.stars", "_id", "_index", "_score", "_seq_no", "_routing", "nosuch"],
];

export const documents: readonly Json[] = [
  {
    ...{
      title: "wind and rain",
      body: "the wind and the rain in the hills",
      tag: ["a", "b"],
      n: 1,
    },
    ...{ l: 9_007_199_254_740_991, price: 1.5, d: "2020-01-01", b: true, ip: "10.0.0.1" },
    ...{ loc: { lat: 1, lon: 2 }, bin: "AAEC", o: { p: { q: 1 } } },
    c: [
      { who: "ann", text: "a fine day", stars: 5 },
      { who: "bob", text: "a bad day", stars: 1 },
    ],
  },
  {
    ...{ title: "sun", body: "the sun also rises", tag: "b", n: -7, l: -1, price: -0.5 },
    ...{
      d: 1_600_000_000_000,
      b: false,
      ip: "::1",
      loc: "40.1,-70.9",
      c: { who: "cat", stars: 3 },
    },
  },
  { title: ["snow", "ice"], tag: [], n: [3, 4], d: "2021-06-01T10:00:00Z", loc: [2, 1] },
];

export const queries: readonly Json[] = [
  { match_all: { boost: 1.5 } },
  { match_none: {} },
  {
    match: {
      title: {
        query: "wind rain",
        operator: "and",
        fuzziness: "AUTO",
        minimum_should_match: "75%",
      },
    },
  },
  { match_phrase: { body: { query: "the rain", slop: 2 } } },
  { match_phrase_prefix: { title: { query: "wind an", max_expansions: 5 } } },
  { match_bool_prefix: { title: "wind r" } },
  {
    multi_match: {
      query: "rain",
      fields: ["title^2", "body"],
      type: "cross_fields",
      tie_breaker: 0.3,
    },
  },
  { multi_match: { query: "rain sun", fields: ["t*"], type: "best_fields" } },
  {
    bool: {
      must: [{ term: { tag: "a" } }],
      should: { term: { n: 1 } },
      filter: [{ exists: { field: "d" } }],
      must_not: [],
      minimum_should_match: 1,
    },
  },
  {
    boosting: {
      positive: { match: { title: "sun" } },
      negative: { term: { tag: "b" } },
      negative_boost: 0.2,
    },
  },
  { constant_score: { filter: { term: { b: true } }, boost: 2 } },
  { dis_max: { queries: [{ term: { tag: "a" } }, { term: { tag: "b" } }], tie_breaker: 0.7 } },
  { exists: { field: "c" } },
  {
    function_score: {
      query: { match_all: {} },
      functions: [
        { weight: 2, filter: { term: { tag: "a" } } },
        { random_score: { seed: 1, field: "n" } },
        { field_value_factor: { field: "n", factor: 1.2, modifier: "log1p", missing: 1 } },
        { gauss: { n: { origin: 1, scale: 2, offset: 0, decay: 0.5 } } },
      ],
      score_mode: "sum",
      boost_mode: "multiply",
      max_boost: 10,
      min_score: 0,
    },
  },
  {
    fuzzy: {
      tag: {
        value: "ab",
        fuzziness: 2,
        prefix_length: 0,
        max_expansions: 50,
        transpositions: true,
      },
    },
  },
  {
    geo_bounding_box: { loc: { top_left: { lat: 10, lon: 0 }, bottom_right: { lat: 0, lon: 10 } } },
  },
  { geo_distance: { distance: "10km", loc: { lat: 1, lon: 2 } } },
  {
    geo_polygon: {
      loc: {
        points: [
          [0, 0],
          [0, 10],
          [10, 10],
        ],
      },
    },
  },
  { ids: { values: ["1", "2"] } },
  {
    nested: {
      path: "c",
      query: { term: { "c.who": "ann" } },
      score_mode: "avg",
      inner_hits: { size: 1 },
    },
  },
  { prefix: { tag: { value: "a", case_insensitive: true, rewrite: "constant_score" } } },
  {
    query_string: {
      query: "title:(wind OR rain) AND n:[1 TO 5] -sun tag:a* /a[b]/ sn~1^2",
      default_field: "body",
      default_operator: "and",
      analyze_wildcard: true,
      lenient: false,
    },
  },
  {
    simple_query_string: {
      query: '"wind and" +rain -(sun | snow) sn~1',
      fields: ["title", "body^3"],
      flags: "ALL",
    },
  },
  { range: { n: { gte: 1, lt: 10, boost: 2 } } },
  {
    range: {
      d: {
        gte: "2019||/y",
        lte: "now",
        format: "yyyy||strict_date_optional_time",
        time_zone: "+01:00",
      },
    },
  },
  { range: { ip: { gte: "10.0.0.0", lte: "10.0.0.255" } } },
  {
    regexp: {
      tag: { value: "[ab]+", flags: "ALL", max_determinized_states: 1000, case_insensitive: true },
    },
  },
  { term: { tag: { value: "a", boost: 1, case_insensitive: true } } },
  { term: { ip: "10.0.0.0/8" } },
  { terms: { tag: ["a", "b"], boost: 1 } },
  { terms: { n: { index: "books", id: "1", path: "n" } } },
  { wildcard: { "title.raw": { value: "w*d*", case_insensitive: true } } },
  { wrapper: { query: "eyJtYXRjaF9hbGwiOnt9fQ==" } },
];

export const aggregations: readonly Json[] = [
  {
    adjacency_matrix: {
      filters: { a: { term: { tag: "a" } }, b: { term: { tag: "b" } } },
      separator: "&",
    },
  },
  { auto_date_histogram: { field: "d", buckets: 5, minimum_interval: "day" } },
  { avg: { field: "n", missing: 0 } },
  { cardinality: { field: "tag", precision_threshold: 100 } },
  {
    composite: {
      size: 2,
      sources: [
        { t: { terms: { field: "tag", order: "desc", missing_bucket: true } } },
        { h: { histogram: { field: "n", interval: 2 } } },
        { dd: { date_histogram: { field: "d", calendar_interval: "month" } } },
      ],
      after: { t: "a", h: 0, dd: 0 },
    },
  },
  {
    date_histogram: {
      field: "d",
      calendar_interval: "month",
      time_zone: "Europe/Berlin",
      offset: "+6h",
      min_doc_count: 0,
      extended_bounds: { min: "2019-12", max: "2021-12" },
      format: "yyyy-MM",
      keyed: true,
    },
  },
  { date_histogram: { field: "d", fixed_interval: "30d", order: { _key: "desc" } } },
  {
    date_range: {
      field: "d",
      ranges: [{ to: "now-1y" }, { key: "x", from: "2020-01-01", to: "2021-01-01" }],
      format: "yyyy-MM-dd",
      time_zone: "UTC",
    },
  },
  { diversified_sampler: { shard_size: 10, field: "tag", max_docs_per_value: 1 } },
  { extended_stats: { field: "price", sigma: 3 } },
  { filter: { term: { tag: "a" } } },
  {
    filters: { filters: { a: { term: { tag: "a" } } }, other_bucket: true, other_bucket_key: "o" },
  },
  { geo_bounds: { field: "loc", wrap_longitude: true } },
  { geo_centroid: { field: "loc" } },
  {
    geo_distance: { field: "loc", origin: "1,2", unit: "km", ranges: [{ to: 100 }, { from: 100 }] },
  },
  { geohash_grid: { field: "loc", precision: 5, size: 10 } },
  { geotile_grid: { field: "loc", precision: 8 } },
  { global: {} },
  {
    histogram: {
      field: "n",
      interval: 5,
      min_doc_count: 0,
      extended_bounds: { min: -10, max: 10 },
      offset: 1,
      keyed: true,
    },
  },
  { ip_range: { field: "ip", ranges: [{ mask: "10.0.0.0/8" }, { from: "::", to: "::ff" }] } },
  { max: { field: "l" } },
  { median_absolute_deviation: { field: "n", compression: 100 } },
  { min: { field: "d", format: "yyyy" } },
  { missing: { field: "price" } },
  {
    multi_terms: {
      terms: [{ field: "tag" }, { field: "b", missing: true }],
      size: 5,
      order: { _count: "asc" },
    },
  },
  { nested: { path: "c" } },
  { percentile_ranks: { field: "n", values: [1, 2], keyed: false } },
  {
    percentiles: {
      field: "n",
      percents: [1, 50, 99.9],
      hdr: { number_of_significant_value_digits: 3 },
    },
  },
  { range: { field: "n", ranges: [{ to: 1 }, { from: 1, to: 3, key: "k" }], keyed: true } },
  { rare_terms: { field: "tag", max_doc_count: 1, precision: 0.01 } },
  { reverse_nested: {} },
  { sampler: { shard_size: 10 } },
  {
    significant_terms: {
      field: "tag",
      min_doc_count: 1,
      background_filter: { match_all: {} },
      jlh: {},
    },
  },
  { significant_text: { field: "body", filter_duplicate_text: true } },
  { stats: { field: "n" } },
  { sum: { field: "price" } },
  {
    terms: {
      field: "tag",
      size: 5,
      shard_size: 10,
      order: [{ _count: "desc" }, { _key: "asc" }],
      min_doc_count: 0,
      include: "a.*",
      exclude: ["b"],
      missing: "none",
      collect_mode: "breadth_first",
      execution_hint: "map",
      show_term_doc_count_error: true,
    },
  },
  { terms: { field: "n", include: { partition: 0, num_partitions: 2 } } },
  {
    top_hits: {
      size: 1,
      sort: [{ n: "desc" }],
      _source: ["title"],
      highlight: { fields: { title: {} } },
      docvalue_fields: ["n"],
    },
  },
  { value_count: { field: "tag" } },
  { variable_width_histogram: { field: "n", buckets: 3, shard_size: 100, initial_buffer: 10 } },
  { weighted_avg: { value: { field: "n" }, weight: { field: "price", missing: 1 } } },
];

const pipelines: Json = {
  months: {
    date_histogram: { field: "d", calendar_interval: "month" },
    aggs: {
      s: { sum: { field: "n" } },
      cs: { cumulative_sum: { buckets_path: "s" } },
      de: { derivative: { buckets_path: "s", unit: "day" } },
      sd: { serial_diff: { buckets_path: "s", lag: 1, gap_policy: "insert_zeros" } },
      bs: { bucket_sort: { sort: [{ s: "desc" }], from: 0, size: 3 } },
    },
  },
  best: { max_bucket: { buckets_path: "months>s" } },
  mean: { avg_bucket: { buckets_path: "months>s", format: "0.0" } },
  all: { stats_bucket: { buckets_path: "months>_count" } },
};

const searches: readonly Json[] = [
  ...queries.map((query): Json => ({ query })),
  ...aggregations.map((a): Json => ({
    size: 0,
    aggs: { a, m: { terms: { field: "tag" }, aggs: { a } } },
  })),
  { size: 0, aggs: pipelines },
  {
    ...{
      from: 1,
      size: 2,
      track_total_hits: 1,
      track_scores: true,
      version: true,
      seq_no_primary_term: true,
      explain: true,
      min_score: 0.1,
    },
    ...{
      timeout: "1s",
      terminate_after: 5,
      stats: ["g"],
      indices_boost: [{ books: 2 }],
      post_filter: { term: { tag: "a" } },
    },
    sort: [
      "_score",
      { n: { order: "desc", mode: "min", missing: "_last", unmapped_type: "long" } },
      {
        "c.stars": { nested: { path: "c", filter: { term: { "c.who": "ann" } }, max_children: 1 } },
      },
      { _geo_distance: { loc: "1,2", unit: "km", order: "asc" } },
    ],
    search_after: [1, 2, 3, 4],
    _source: { includes: ["t*"], excludes: ["c.*"] },
    stored_fields: ["_none_"],
    docvalue_fields: ["n", { field: "d", format: "epoch_millis" }],
    fields: ["title", { field: "d", format: "yyyy" }],
  },
  {
    query: { match: { title: "wind" } },
    highlight: {
      pre_tags: ["<b>"],
      post_tags: ["</b>"],
      type: "unified",
      order: "score",
      fields: {
        "*": {
          number_of_fragments: 2,
          fragment_size: 20,
          no_match_size: 10,
          highlight_query: { match: { body: "rain" } },
        },
      },
    },
  },
  {
    collapse: {
      field: "tag",
      inner_hits: { name: "i", size: 2, sort: [{ n: "asc" }] },
      max_concurrent_group_searches: 2,
    },
  },
  {
    query: { match: { body: "rain" } },
    rescore: [
      {
        window_size: 10,
        query: {
          rescore_query: { match_phrase: { body: "the rain" } },
          query_weight: 0.7,
          rescore_query_weight: 1.2,
          score_mode: "max",
        },
      },
    ],
  },
  {
    suggest: {
      text: "wnid",
      s: {
        term: {
          field: "title",
          suggest_mode: "always",
          max_edits: 2,
          prefix_length: 0,
          min_word_length: 1,
        },
      },
      p: { phrase: { field: "title", max_errors: 2, direct_generator: [{ field: "title" }] } },
    },
  },
  { slice: { id: 0, max: 2, field: "_id" }, query: { match_all: {} } },
  {
    pit: { id: "${pit}", keep_alive: "1m" },
    query: { match_all: {} },
    sort: [{ _shard_doc: "asc" }],
  },
  { profile: true, query: { match: { title: "sun" } } },
];

const settings: Json = {
  number_of_shards: 2,
  number_of_replicas: 0,
  refresh_interval: "1s",
  "index.max_result_window": 100,
  analysis: {
    analyzer: {
      x: { type: "custom", tokenizer: "t", filter: ["lowercase", "f"], char_filter: ["c"] },
    },
    tokenizer: { t: { type: "pattern", pattern: "\\W+", group: -1 } },
    filter: { f: { type: "stop", stopwords: ["and"] } },
    char_filter: { c: { type: "pattern_replace", pattern: "a(.)", replacement: "b$1" } },
    normalizer: { n: { type: "custom", filter: ["lowercase"] } },
  },
};

const creation: Json = {
  settings,
  aliases: {
    al: { filter: { term: { tag: "a" } }, routing: "r", is_write_index: true, is_hidden: false },
  },
  mappings: {
    dynamic: "strict",
    _source: { enabled: true, includes: ["a*"] },
    _routing: { required: false },
    dynamic_templates: [
      {
        t: {
          match: "s_*",
          match_mapping_type: "string",
          match_pattern: "simple",
          mapping: { type: "keyword", ignore_above: 10 },
        },
      },
    ],
    date_detection: true,
    numeric_detection: true,
    _meta: { x: 1 },
    properties: {
      a: {
        type: "text",
        analyzer: "x",
        search_analyzer: "standard",
        index_options: "offsets",
        norms: false,
        copy_to: ["e"],
        fields: { k: { type: "keyword", normalizer: "n", null_value: "-", doc_values: true } },
      },
      e: { type: "keyword", store: true, index: false, similarity: "boolean" },
      f: { type: "scaled_float", scaling_factor: 100, coerce: true, ignore_malformed: true },
      g: {
        type: "date",
        format: "yyyy-MM-dd||epoch_millis",
        locale: "en",
        null_value: "2020-01-01",
      },
      h: {
        type: "nested",
        dynamic: false,
        properties: { i: { type: "long" } },
        include_in_root: true,
      },
      j: { type: "alias", path: "e" },
    },
  },
};

const template: Json = {
  index_patterns: ["tmpl-*"],
  priority: 10,
  version: 1,
  composed_of: ["part"],
  _meta: { a: 1 },
  template: {
    settings: { number_of_shards: 1 },
    mappings: { properties: { z: { type: "keyword" } } },
    aliases: { za: {} },
  },
};

const byGroup: Readonly<Record<string, readonly Json[]>> = {
  search: searches,
  count: queries.map((query): Json => ({ query })),
  create: documents,
  index: documents,
  update: [
    { doc: { n: 2 }, doc_as_upsert: true, detect_noop: true },
    { doc: { title: "x" }, upsert: { n: 1 }, _source: ["n"] },
  ],
  mget: [
    {
      docs: [
        { _id: "1" },
        { _index: "books", _id: "2", routing: "r", _source: { includes: ["t*"] } },
      ],
    },
    { ids: ["1", "2"] },
  ],
  scroll: [{ scroll: "1m", scroll_id: "${scroll}" }],
  clear_scroll: [{ scroll_id: ["${scroll}"] }],
  delete_pit: [{ pit_id: ["${pit}"] }],
  "indices.create": [creation, { settings }],
  "indices.put_mapping": [mapping, { properties: { title: { type: "text", fielddata: true } } }],
  "indices.put_settings": [
    { index: { number_of_replicas: 0, refresh_interval: "5s" } },
    {
      "index.max_result_window": 10,
      "index.blocks.write": false,
      settings: { "index.routing.allocation.require.zone": null },
    },
  ],
  "indices.update_aliases": [
    {
      actions: [
        {
          add: {
            index: "books",
            alias: "lib2",
            filter: { term: { tag: "a" } },
            routing: "1",
            is_write_index: true,
          },
        },
        { remove: { indices: ["books"], aliases: ["lib2"], must_exist: false } },
        { remove_index: { index: "gone" } },
      ],
    },
  ],
  "indices.put_alias": [
    { filter: { range: { n: { gte: 1 } } }, index_routing: "1", search_routing: "1,2" },
  ],
  "indices.put_index_template": [
    template,
    {
      index_patterns: ["logs-x*"],
      data_stream: { timestamp_field: { name: "@timestamp" } },
      priority: 7,
    },
  ],
  "indices.simulate_index_template": [template],
  "indices.simulate_template": [template],
  "cluster.put_component_template": [
    {
      template: {
        mappings: { properties: { y: { type: "ip" } } },
        settings: { "index.number_of_shards": 1 },
      },
      version: 3,
    },
  ],
  "indices.put_template": [
    {
      index_patterns: ["old-*"],
      order: 1,
      settings: { number_of_shards: 1 },
      mappings: { properties: { w: { type: "date" } } },
      aliases: {},
      version: 2,
    },
  ],
  "indices.rollover": [
    {
      conditions: { max_age: "1d", max_docs: 1, max_size: "1gb" },
      settings: { number_of_replicas: 0 },
      aliases: { ro: {} },
      mappings: {},
    },
  ],
  "cluster.put_settings": [
    {
      persistent: {
        "cluster.routing.rebalance.enable": "all",
        cluster: { max_shards_per_node: 500 },
      },
      transient: { "action.auto_create_index": "true" },
    },
    {
      transient: {
        "cluster.*": null,
        "indices.recovery.max_bytes_per_sec": "20mb",
        "search.max_buckets": 10_000,
      },
    },
  ],
  "cluster.reroute": [
    {
      commands: [
        { move: { index: "books", shard: 0, from_node: "node-1", to_node: "node-2" } },
        { allocate_replica: { index: "books", shard: 1, node: "node-3" } },
      ],
    },
    { commands: [{ cancel: { index: "other", shard: 0, node: "node-1", allow_primary: false } }] },
  ],
  "cluster.allocation_explain": [
    { index: "books", shard: 0, primary: true, current_node: "node-1" },
  ],
  "cluster.put_weighted_routing": [{ weights: { "zone-1": "1", "zone-2": "0" }, _version: -1 }],
  "snapshot.create_repository": [
    {
      type: "fs",
      settings: {
        location: "/repositories/other",
        compress: true,
        chunk_size: "1mb",
        max_snapshot_bytes_per_sec: "40mb",
        readonly: false,
      },
    },
  ],
  "snapshot.create": [
    {
      indices: "books,-other",
      ignore_unavailable: true,
      include_global_state: true,
      partial: false,
      metadata: { by: "me" },
    },
  ],
  "snapshot.restore": [
    {
      indices: "books",
      rename_pattern: "(.+)",
      rename_replacement: "restored-$1",
      include_aliases: false,
      partial: false,
      index_settings: { "index.number_of_replicas": 0 },
      ignore_index_settings: ["index.refresh_interval"],
    },
  ],
  "snapshot.clone": [{ indices: "books" }],
};

/** Sample bodies of an operation; none if it takes no body. */
export function bodiesOf(group: string): readonly Json[] {
  return Object.hasOwn(byGroup, group) ? (lookup(byGroup, group) ?? []) : [];
}

/** Lines of NDJSON bodies, by group. */
const linesByGroup: Readonly<Record<string, readonly (readonly Json[])[]>> = {
  bulk: [
    [
      { index: { _index: "books", _id: "b1", routing: "r", if_seq_no: 0, if_primary_term: 1 } },
      ...documents.slice(0, 1),
      { create: { _index: "other", require_alias: false, pipeline: "_none" } },
      ...documents.slice(1, 2),
      { update: { _id: "b1", _index: "books", retry_on_conflict: 3, _source: true } },
      { doc: { n: 3 }, doc_as_upsert: true },
      { delete: { _index: "books", _id: "b1", version: 1, version_type: "external" } },
    ],
  ],
  msearch: [
    [
      {
        index: "books",
        preference: "_local",
        search_type: "dfs_query_then_fetch",
        allow_no_indices: true,
      },
      { query: { match_all: {} } },
      {},
      { size: 0, aggs: { a: { terms: { field: "tag" } } } },
      { index: ["nosuch"] },
      { query: { match: { title: "x" } } },
    ],
  ],
};

export function linesOf(group: string): readonly (readonly Json[])[] {
  return Object.hasOwn(linesByGroup, group) ? (lookup(linesByGroup, group) ?? []) : [];
}

/** Values for the placeholders of paths that refer to existing things. */
export const pathValues: Readonly<Record<string, readonly string[]>> = {
  index: [
    "books",
    "other",
    "books,other",
    "b*",
    "_all",
    "library",
    "fresh",
    "logs-x",
    "-b*,*",
    "<books-{now/d}>",
  ],
  target: ["books", "other", "library"],
  id: ["1", "2", "3", "a%20b", "nosuch"],
  name: ["library", "tmpl", "part", "old", "logs-x", "*", "nosuch"],
  repository: ["backup", "other", "*", "nosuch"],
  snapshot: ["snap", "snap2", "_all", "_current", "*"],
  target_snapshot: ["snap3"],
  alias: ["library", "lib2"],
  new_index: ["books-000002"],
  node_id: ["_local", "_all", "node-1", "_cluster_manager", "data:true", "*"],
  metric: ["_all", "os,jvm", "indices", "docs", "settings", "metadata"],
  index_metric: ["docs", "_all", "search,get"],
  fields: ["*", "title", "n,tag"],
  block: ["write", "read", "metadata", "read_only"],
  scroll_id: ["${scroll}", "_all"],
  attribute: ["zone"],
  awareness_attribute_name: ["zone"],
  awareness_attribute_value: ["zone-1"],
  awareness_attribute: ["zone"],
};

/** Parameters beyond those of the operation table, with values that refer to existing things. */
export const commonParameters: Readonly<Record<string, readonly string[]>> = {
  pretty: ["", "false"],
  human: ["true"],
  error_trace: ["true"],
  filter_path: ["**", "hits.hits._source", "-hits", "*.*.*", "a.b,-c"],
  format: ["yaml", "json", "cbor", "text", "smile"],
  source: ['{"query":{"match_all":{}}}', "{", ""],
  source_content_type: ["application/json", "application/yaml", "x"],
};
