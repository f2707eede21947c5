/**
 * Kinds of requests that a sequence is drawn from. A new kind is a row here.
 *
 * A row draws a request and records its effect in the draft. Requests with several correct answers are not drawn:
 * searches of unrefreshed writes, ties of a sort, scores over deleted documents, and a bulk whose documents add the
 * same new field.
 */
import type { Json, JsonObject } from "@orrery/stdx";
import {
  aliasNames,
  anyIndex,
  drawDocument,
  drawText,
  indexNames,
  knownId,
  newIndex,
  openIndices,
  properties,
  writtenIndex,
  type Draft,
  type DraftIndex,
} from "./draft.ts";
import { lines, type Asked } from "../request.ts";

type Line = Omit<Asked, "kind">;

interface Kind {
  /** Weight of the row among all rows. */
  readonly weight: number;
  /** Requests in order; none if the draft has no suitable index. */
  readonly draw: (draft: Draft) => readonly Line[];
}

const request = (method: string, uri: string, body?: Json): Line => ({
  method,
  uri,
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
});

export const kinds: Readonly<Record<string, Kind>> = {
  create: {
    weight: 6,
    draw: ({ random, indices }) => {
      const name = random.pick(indexNames);
      const shards = random.int(1, 3);
      const replicas = random.int(0, 1);
      if (!indices.has(name)) indices.set(name, newIndex(name, shards));
      const settings = { number_of_shards: shards, number_of_replicas: replicas };
      return [request("PUT", `/${name}`, { settings, mappings: { properties } })];
    },
  },
  delete: {
    weight: 2,
    draw: (draft) => {
      const name = draft.random.pick(indexNames);
      draft.indices.delete(name);
      for (const [alias, index] of draft.aliases) if (index === name) draft.aliases.delete(alias);
      return [request("DELETE", `/${name}`)];
    },
  },
  look: {
    weight: 3,
    draw: ({ random }) => {
      const name = random.pick(indexNames);
      return [
        random.pick([
          request("HEAD", `/${name}`),
          request("GET", `/${name}/_mapping`),
          request("GET", `/${name}/_settings`),
          request("GET", `/_alias`),
          request("GET", `/_cat/aliases?h=alias,index&s=alias,index`),
        ]),
      ];
    },
  },
  write: { weight: 14, draw: written },
  update: {
    weight: 6,
    draw: (draft) =>
      aboutOne(draft, (index) => {
        noteReplaced(draft, index);
        const doc = { n: draft.random.int(0, 9), u: draft.next() };
        const id = knownId(draft, index);
        if (id === "none") index.ids.push(id);
        return request("POST", `/${index.name}/_update/${id}`, { doc, doc_as_upsert: true });
      }),
  },
  remove: {
    weight: 5,
    draw: (draft) =>
      aboutOne(draft, (index) => {
        noteReplaced(draft, index);
        return request("DELETE", `/${index.name}/_doc/${knownId(draft, index)}`);
      }),
  },
  bulk: {
    weight: 8,
    draw: (draft) => {
      const { random } = draft;
      const made = openIndices(draft).filter(({ shards }) => !Number.isNaN(shards));
      if (made.length === 0) return [];
      draft.isDirty = true;
      const index = random.pick(made);
      const body = Array.from({ length: random.int(1, 12) }, () => action(draft, index)).flat();
      return [{ method: "POST", uri: `/${index.name}/_bulk`, body: lines(body) }];
    },
  },
  get: {
    weight: 6,
    draw: (draft) =>
      aboutOne(draft, (index) => {
        const path = draft.random.pick(["_doc", "_doc", "_source"]);
        const method = draft.random.pick(["GET", "GET", "HEAD"]);
        return request(method, `/${index.name}/${path}/${knownId(draft, index)}`);
      }),
  },
  mget: {
    weight: 3,
    draw: (draft) =>
      aboutOne(draft, (index) => {
        const ids = Array.from({ length: 4 }, () => knownId(draft, index));
        return request("POST", `/${index.name}/_mget`, { ids });
      }),
  },
  refresh: {
    weight: 4,
    draw: (draft) => {
      draft.isDirty = false;
      return [request("POST", "/_refresh")];
    },
  },
  flush: { weight: 1, draw: () => [request("POST", "/_flush")] },
  search: {
    weight: 14,
    draw: (draft) => visible(draft, (index) => searched(draft, index)),
  },
  scores: {
    weight: 6,
    draw: (draft) =>
      visible(draft, (index) => {
        if (index.hasRemovals) return undefined;
        const query = { match: { t: drawText(draft.random) } };
        const sort = ["_score", { u: { order: "asc", unmapped_type: "long" } }];
        return request("POST", `/${index.name}/_search`, { query, sort, size: 20 });
      }),
  },
  aggregate: {
    weight: 8,
    draw: (draft) =>
      visible(draft, (index) =>
        request("POST", `/${index.name}/_search`, { size: 0, aggs: aggregations(draft) }),
      ),
  },
  count: {
    weight: 3,
    draw: (draft) =>
      visible(draft, (index) =>
        request("POST", `/${index.name}/_count`, { query: drawQuery(draft) }),
      ),
  },
  scroll: {
    weight: 3,
    draw: (draft) => {
      const scroll = `scroll${draft.next()}`;
      const first = visible(draft, (index) => {
        const query = { query: drawQuery(draft), size: 2, sort: [{ u: "asc" }] };
        const keep = { [scroll]: "_scroll_id" };
        return { ...request("POST", `/${index.name}/_search?scroll=10m`, query), keep };
      });
      if (first.length === 0) return [];
      const turn = request("POST", "/_search/scroll", {
        scroll: "10m",
        scroll_id: `\${${scroll}}`,
      });
      const pages = Array.from({ length: draft.random.int(1, 3) }, () => turn);
      const end = request("DELETE", "/_search/scroll", { scroll_id: [`\${${scroll}}`] });
      return [...first, ...pages, end, turn];
    },
  },
  pit: {
    weight: 3,
    draw: (draft) => {
      const pit = `pit${draft.next()}`;
      const opened = visible(draft, ({ name }) => ({
        ...request("POST", `/${name}/_search/point_in_time?keep_alive=10m`),
        keep: { [pit]: "pit_id" },
      }));
      if (opened.length === 0) return [];
      const id = `\${${pit}}`;
      const search = request("POST", "/_search", {
        pit: { id, keep_alive: "10m" },
        query: drawQuery(draft),
        sort: [{ u: { order: "asc", unmapped_type: "long" } }],
      });
      const change = draft.random.int(1, 2) === 1 ? written(draft) : [];
      const end = request("DELETE", "/_search/point_in_time", { pit_id: [id] });
      const asked = [...opened, search, ...change, search, end, search];
      return asked.map((line) => withoutSkips(draft, line));
    },
  },
  msearch: {
    weight: 4,
    draw: (draft) =>
      visible(draft, (index) => {
        const searches = Array.from({ length: draft.random.int(1, 4) }, (): readonly Json[] => {
          const name = draft.random.pick([index.name, index.name, "*", "nosuch"]);
          const sort = [{ u: { order: "asc", unmapped_type: "long" } }];
          return [{ index: name }, { query: drawQuery(draft), sort, size: 3 }];
        });
        return { method: "POST", uri: "/_msearch", body: lines(searches.flat()) };
      }),
  },
  stream: {
    weight: 3,
    draw: ({ random, next }) => {
      const template = {
        index_patterns: ["events-*"],
        data_stream: {},
        template: { settings: { number_of_shards: random.int(1, 2) }, mappings: { properties } },
      };
      const document = { "@timestamp": "2024-03-04T05:06:07Z", u: next() };
      const asked = random.pick([
        request("PUT", "/_index_template/events", template),
        request("PUT", `/events-a/_create/e${next()}?refresh=true`, document),
        request("POST", "/events-a/_rollover", { conditions: { max_docs: random.int(0, 3) } }),
        request("GET", "/_data_stream/events-*"),
        request("DELETE", "/_data_stream/events-a"),
        request("POST", "/events-*/_search", { sort: ["u"], track_total_hits: true }),
      ]);
      return [request("POST", "/events-*/_refresh"), asked];
    },
  },
  snapshot: {
    weight: 3,
    draw: (draft) => {
      const { random } = draft;
      const name = `s${random.int(1, 3)}`;
      const indices = random.pick(indexNames);
      const waits = "wait_for_completion=true";
      const restored = { rename_pattern: "(.+)", rename_replacement: "restored-$1" };
      return [
        random.pick([
          request("PUT", "/_snapshot/kept", { type: "fs", settings: { location: "kept" } }),
          request("PUT", `/_snapshot/kept/${name}?${waits}`, { indices, ignore_unavailable: true }),
          request("GET", "/_snapshot/kept/_all"),
          request("POST", `/_snapshot/kept/${name}/_restore?${waits}`, { indices, ...restored }),
          request("DELETE", `/_snapshot/kept/${name}`),
          request("DELETE", "/restored-*"),
          request("POST", "/restored-*/_search", { sort: ["u"], size: 5 }),
        ]),
      ];
    },
  },
  alias: {
    weight: 3,
    draw: (draft) =>
      aboutOne(draft, ({ name: index }) => {
        const { random, aliases } = draft;
        const alias = random.pick(aliasNames);
        const way = random.pick(["add", "add", "remove"]);
        if (way === "add") aliases.set(alias, index);
        else aliases.delete(alias);
        return request("POST", "/_aliases", { actions: [{ [way]: { index, alias } }] });
      }),
  },
  template: {
    weight: 1,
    draw: ({ random }) => {
      const template = {
        settings: { number_of_shards: random.int(1, 3) },
        mappings: { properties },
      };
      return [request("PUT", "/_index_template/logs", { index_patterns: ["logs-*"], template })];
    },
  },
  close: {
    weight: 2,
    draw: (draft) =>
      aboutOne(draft, (index) => {
        index.isOpen = !index.isOpen;
        return request("POST", `/${index.name}/${index.isOpen ? "_open" : "_close"}`);
      }),
  },
  settings: {
    weight: 2,
    draw: (draft) =>
      aboutOne(draft, ({ name }) => {
        const replicas = draft.random.int(0, 1);
        return request("PUT", `/${name}/_settings`, { index: { number_of_replicas: replicas } });
      }),
  },
  mapping: {
    weight: 2,
    draw: (draft) =>
      aboutOne(draft, ({ name }) => {
        const type = draft.random.pick(["keyword", "long", "text"]);
        const field = `new${draft.random.int(1, 3)}`;
        return request("PUT", `/${name}/_mapping`, { properties: { [field]: { type } } });
      }),
  },
  wrong: {
    weight: 2,
    draw: (draft) => {
      const name = draft.random.pick(indexNames);
      return [
        draft.random.pick([
          request("POST", `/${name}/_search`, { query: { nosuch: {} } }),
          request("POST", `/${name}/_search`, { aggs: { a: { terms: { field: "t" } } }, size: 0 }),
          request("GET", `/${name}/_doc/1?nosuch=1`),
          request("PUT", `/${name}/_settings`, { index: { nosuch: 1 } }),
          { method: "PUT", uri: `/${name}/_doc/1`, body: '{"u":' },
        ]),
      ];
    },
  },
};

function action(draft: Draft, index: DraftIndex): readonly Json[] {
  const { random } = draft;
  const id = random.int(1, 3) === 1 ? knownId(draft, index) : `d${draft.next()}`;
  const way = random.pick(["index", "index", "create", "delete", "update"]);
  if (way !== "create") index.hasRemovals = true;
  if (way !== "delete" && !index.ids.includes(id)) index.ids.push(id);
  const head = { [way]: { _id: id } };
  if (way === "delete") return [head];
  const { u, t } = drawDocument(draft);
  return [head, way === "update" ? { doc: { u: u ?? 0 } } : { u: u ?? 0, t: t ?? "", n: 3 }];
}

/** Search of an index, preceded by a refresh if it has unrefreshed writes. */
function visible(draft: Draft, ask: (index: DraftIndex) => Line | undefined): readonly Line[] {
  const asked = aboutOne(draft, ask).map((line) => withoutSkips(draft, line));
  if (asked.length === 0 || !draft.isDirty) return asked;
  draft.isDirty = false;
  return [request("POST", "/_refresh"), ...asked];
}

/**
 * Request whose number of skipped shards is not compared once an index has deleted documents: can-match uses field
 * bounds, which include them until a merge, whose time is undetermined.
 */
function withoutSkips({ indices }: Draft, line: Line): Line {
  const hasRemovals = [...indices.values()].some((index) => index.hasRemovals);
  return hasRemovals ? { ...line, loose: ["_shards/skipped"] } : line;
}

/** Request about some index; none if there is no suitable index. */
function aboutOne(draft: Draft, ask: (index: DraftIndex) => Line | undefined): readonly Line[] {
  const index = anyIndex(draft);
  const line = index && ask(index);
  return line === undefined ? [] : [line];
}

function written(draft: Draft): readonly Line[] {
  const { random } = draft;
  const index = writtenIndex(draft);
  draft.isDirty = true;
  if (index.shards === 1 && random.int(1, 4) === 1)
    return [request("POST", `/${index.name}/_doc`, drawDocument(draft))];
  const id = random.int(1, 3) === 1 ? knownId(draft, index) : `d${draft.next()}`;
  if (index.ids.includes(id)) index.hasRemovals = true;
  else index.ids.push(id);
  const path = random.pick(["_doc", "_doc", "_create"]);
  return [request("PUT", `/${index.name}/${path}/${id}`, drawDocument(draft))];
}

function noteReplaced(draft: Draft, index: DraftIndex): void {
  draft.isDirty = true;
  index.hasRemovals = true;
}

function searched(draft: Draft, index: DraftIndex): Line {
  const { random, aliases } = draft;
  const [alias] = aliases.keys();
  const names = [index.name, index.name, `${index.name},books`, "*", alias ?? index.name];
  const order = random.pick(["asc", "desc"]);
  const sort = [
    ...(random.int(1, 2) === 1 ? [{ n: { order, unmapped_type: "integer" } }] : []),
    { u: { order, unmapped_type: "long" } },
  ];
  return request("POST", `/${random.pick(names)}/_search?ignore_unavailable=true`, {
    query: drawQuery(draft),
    sort,
    from: random.int(0, 3),
    size: random.int(0, 10),
  });
}

function drawQuery({ random }: Draft): JsonObject {
  const n = random.int(0, 15);
  const leaf = (): JsonObject =>
    random.pick<JsonObject>([
      { match: { t: drawText(random) } },
      { term: { k: `k${random.int(0, 4)}` } },
      { terms: { tags: ["x", "z"] } },
      { range: { n: { gte: n, lt: n + 5 } } },
      { range: { d: { gte: "2024-03-01", lt: "2024-08-01" } } },
      { exists: { field: random.pick(["b", "f", "new1"]) } },
      { prefix: { k: "k" } },
      { match_all: {} },
      { ids: { values: ["d1", "d2", "none"] } },
    ]);
  if (random.int(1, 2) === 1) return leaf();
  return { bool: { must: [leaf()], must_not: [leaf()], filter: [leaf()] } };
}

function aggregations({ random }: Draft): JsonObject {
  const metric = (): JsonObject =>
    random.pick<JsonObject>([
      { sum: { field: "f" } },
      { max: { field: "u" } },
      { stats: { field: "n" } },
      { cardinality: { field: "k" } },
      { value_count: { field: "tags" } },
    ]);
  const buckets = random.pick<JsonObject>([
    { terms: { field: "k", size: 20 } },
    { terms: { field: "tags", size: 20, order: { _key: "desc" } } },
    { histogram: { field: "n", interval: 5 } },
    { date_histogram: { field: "d", calendar_interval: "month" } },
    { range: { field: "f", ranges: [{ to: 5 }, { from: 5 }] } },
    { missing: { field: "k" } },
  ]);
  return { m: metric(), b: { ...buckets, aggs: { m: metric() } } };
}
