"""A shop's catalogue on the official Python client: plain, asynchronous, with its helpers and its DSL."""

import os
from datetime import datetime
from typing import Any, Iterator

from opensearchpy import (
    AsyncOpenSearch,
    Document,
    Keyword,
    Date,
    Integer,
    OpenSearch,
    Search,
    Text,
    helpers,
)
from opensearchpy.exceptions import (
    ConflictError,
    ConnectionError as ClientConnectionError,
    ConnectionTimeout,
    NotFoundError,
    RequestError,
    TransportError,
)
from opensearchpy.helpers import BulkIndexError
from opensearchpy.helpers.query import Bool, Match, Range, Term

from tap import check, run

URLS = os.environ["CLUSTER_URLS"].split(",")
GENRES = ["novel", "poetry", "travel", "history"]
INDEX = "books"

client = OpenSearch(URLS, timeout=30)


def books(count: int) -> Iterator[dict[str, Any]]:
    for i in range(count):
        yield {
            "_index": INDEX,
            "_id": f"b-{i}",
            "title": f"Volume {i} of {GENRES[i % 4]}",
            "genre": GENRES[i % 4],
            "price": (i % 50) + 0.5,
            "published": f"{2000 + i % 20}-{i % 12 + 1:02}-01",
        }


def raised(kind: type, body: Any) -> Any:
    """The exception of this class that the body raises."""
    try:
        body()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


@check("the product and the version")
def _() -> None:
    info = client.info()
    assert info["version"]["distribution"] == "opensearch", info
    assert client.ping() is True


@check("an index with settings and mappings")
def _() -> None:
    created = client.indices.create(
        index=INDEX,
        body={
            "settings": {"number_of_shards": 2, "number_of_replicas": 1},
            "mappings": {
                "properties": {
                    "title": {"type": "text"},
                    "genre": {"type": "keyword"},
                    "price": {"type": "double"},
                    "published": {"type": "date"},
                }
            },
        },
    )
    assert created == {"acknowledged": True, "shards_acknowledged": True, "index": INDEX}
    assert client.indices.exists(index=INDEX) is True
    assert client.indices.exists(index="none") is False
    error = raised(RequestError, lambda: client.indices.create(index=INDEX))
    assert (error.status_code, error.error) == (400, "resource_already_exists_exception"), error


@check("bulk helpers: streaming, parallel, and their exception")
def _() -> None:
    count, errors = helpers.bulk(client, books(1000), chunk_size=150, refresh="wait_for")
    assert (count, errors) == (1000, []), (count, errors)
    more = ({**book, "_id": f"c-{i}"} for i, book in enumerate(books(500)))
    assert all(ok for ok, _ in helpers.parallel_bulk(client, more, thread_count=3, chunk_size=100))
    bad = [{"_index": INDEX, "_id": "bad", "price": "much"}]
    error = raised(BulkIndexError, lambda: helpers.bulk(client, bad))
    [item] = error.errors
    assert item["index"]["status"] == 400, item
    assert item["index"]["error"]["type"] == "mapper_parsing_exception", item
    results = list(
        helpers.streaming_bulk(
            client,
            [
                {"_op_type": "create", "_index": INDEX, "_id": "b-1", "title": "again"},
                {"_op_type": "delete", "_index": INDEX, "_id": "c-1"},
                {"_op_type": "update", "_index": INDEX, "_id": "c-2", "doc": {"price": 1.5}},
            ],
            raise_on_error=False,
        )
    )
    assert [ok for ok, _ in results] == [False, True, True], results
    assert results[0][1]["create"]["status"] == 409, results
    client.indices.refresh(index=INDEX)
    assert client.count(index=INDEX)["count"] == 1499


@check("scan, and a scroll that was cleared")
def _() -> None:
    query = {"query": {"term": {"genre": "poetry"}}}
    found = list(helpers.scan(client, index=INDEX, query=query, size=100, scroll="1m"))
    assert len(found) == 374, len(found)
    assert all(hit["_source"]["genre"] == "poetry" for hit in found)
    scroll = client.search(index=INDEX, params={"scroll": "1m"})["_scroll_id"]
    assert client.clear_scroll(body={"scroll_id": [scroll]})["succeeded"] is True
    error = raised(NotFoundError, lambda: client.scroll(body={"scroll_id": scroll}))
    assert error.error == "search_phase_execution_exception", error
    cause = error.info["error"]["root_cause"][0]
    assert cause["type"] == "search_context_missing_exception", cause


@check("aggregations and a point in time")
def _() -> None:
    answer = client.search(
        index=INDEX,
        body={
            "size": 0,
            "aggs": {
                "genres": {
                    "terms": {"field": "genre", "order": {"_key": "asc"}},
                    "aggs": {"price": {"stats": {"field": "price"}}},
                },
                "years": {"date_histogram": {"field": "published", "calendar_interval": "year"}},
            },
        },
    )
    buckets = answer["aggregations"]["genres"]["buckets"]
    assert [bucket["key"] for bucket in buckets] == sorted(GENRES), buckets
    assert sum(bucket["price"]["count"] for bucket in buckets) == 1499
    assert answer["aggregations"]["years"]["buckets"][0]["key_as_string"] == "2000-01-01T00:00:00.000Z"
    pit = client.create_pit(index=INDEX, params={"keep_alive": "1m"})["pit_id"]
    seen: list[str] = []
    after: Any = None
    while True:
        body: dict[str, Any] = {
            "size": 400,
            "pit": {"id": pit, "keep_alive": "1m"},
            "sort": [{"price": "asc"}, {"_id": "asc"}],
        }
        if after is not None:
            body["search_after"] = after
        hits = client.search(body=body)["hits"]["hits"]
        if not hits:
            break
        seen += [hit["_id"] for hit in hits]
        after = hits[-1]["sort"]
    assert len(set(seen)) == len(seen) == 1499, len(seen)
    assert client.delete_pit(body={"pit_id": [pit]})["pits"][0]["successful"] is True


@check("writes that depend on a version, and exceptions by status")
def _() -> None:
    first = client.index(index=INDEX, id="v", body={"title": "One"})
    at = {"if_seq_no": first["_seq_no"], "if_primary_term": first["_primary_term"]}
    client.index(index=INDEX, id="v", body={"title": "Two"}, params=at)
    error = raised(
        ConflictError, lambda: client.index(index=INDEX, id="v", body={"title": "3"}, params=at)
    )
    assert (error.status_code, error.error) == (409, "version_conflict_engine_exception"), error
    merged = client.update(
        index=INDEX, id="v", body={"doc": {"price": 2.0}}, params={"_source": "true"}
    )
    assert merged["get"]["_source"] == {"title": "Two", "price": 2.0}, merged
    client.delete(index=INDEX, id="v", params={"refresh": "true"})
    error = raised(NotFoundError, lambda: client.get(index=INDEX, id="none"))
    assert error.info == {"_index": INDEX, "_id": "none", "found": False}, error.info
    error = raised(NotFoundError, lambda: client.search(index="none"))
    assert error.error == "index_not_found_exception", error
    assert error.info["error"]["index"] == "none", error.info
    error = raised(RequestError, lambda: client.search(index=INDEX, body={"query": {"nope": {}}}))
    assert error.error == "parsing_exception", error
    error = raised(
        RequestError,
        lambda: client.indices.put_mapping(index=INDEX, body={"properties": {"genre": {"type": "text"}}}),
    )
    assert error.error == "illegal_argument_exception", error
    assert client.get(index=INDEX, id="none", ignore=404)["found"] is False
    nobody = OpenSearch(["http://127.0.0.1:9"], max_retries=0)
    assert isinstance(raised(ClientConnectionError, nobody.info), TransportError)
    raised(
        ConnectionTimeout,
        lambda: client.cluster.health(params={"wait_for_nodes": ">=50", "timeout": "20s", "request_timeout": 0.2}),
    )


class Book(Document):
    title = Text(fields={"raw": Keyword()})
    genre = Keyword()
    stock = Integer()
    published = Date()

    class Index:
        name = "library"
        settings = {"number_of_shards": 2}


@check("the DSL: documents, queries, facets, scan")
def _() -> None:
    Book.init(using=client)
    for i in range(20):
        book = Book(
            meta={"id": i},
            title=f"Volume {i}",
            genre=GENRES[i % 4],
            stock=i,
            published=datetime(2020, 1, i + 1),
        )
        assert book.save(using=client) == "created"
    Book._index.refresh(using=client)
    search = (
        Search(using=client, index="library")
        .query(Bool(must=[Match(title="volume")], filter=[Range(stock={"gte": 4})]))
        .exclude(Term(genre="novel"))
        .sort("-stock")[0:5]
        .highlight("title")
    )
    search.aggs.bucket("genres", "terms", field="genre").metric("most", "max", field="stock")
    answer = search.execute()
    assert answer.success()
    assert answer.hits.total.value == 12, answer.hits.total
    assert [hit.stock for hit in answer] == [19, 18, 17, 15, 14]
    assert answer[0].meta.highlight.title[0] == "<em>Volume</em> 19"
    assert {b.key: b.most.value for b in answer.aggregations.genres.buckets}["history"] == 19.0
    found = Book.get(using=client, id=3)
    assert found.published == datetime(2020, 1, 4), found.published
    found.update(using=client, stock=100)
    assert Book.get(using=client, id=3).stock == 100
    assert Book.get(using=client, id=99, ignore=404) is None
    assert Book.search(using=client).count() == 20
    assert len(list(Book.search(using=client).params(size=7).scan())) == 20
    assert [book.title for book in Book.mget([1, 2], using=client)] == ["Volume 1", "Volume 2"]
    found.delete(using=client)
    assert Book.exists(using=client, id=3) is False


@check("aliases, templates, administration, cat")
def _() -> None:
    client.indices.put_alias(index=INDEX, name="catalogue")
    assert client.indices.exists_alias(name="catalogue") is True
    assert client.indices.get_alias(index=INDEX)[INDEX]["aliases"] == {"catalogue": {}}
    client.cluster.put_component_template(
        name="two-shards", body={"template": {"settings": {"number_of_shards": 2}}}
    )
    client.indices.put_index_template(
        name="logs",
        body={"index_patterns": ["logs-*"], "composed_of": ["two-shards"], "data_stream": {}},
    )
    helpers.bulk(
        client,
        [{"_op_type": "create", "_index": "logs-a", "@timestamp": "2026-01-01"}],
        refresh=True,
    )
    client.cluster.health(params={"wait_for_status": "green", "timeout": 20})
    [stream] = client.indices.get_data_stream(name="logs-a")["data_streams"]
    assert stream["generation"] == 1 and stream["status"] == "GREEN", stream
    health = client.cluster.health(params={"wait_for_status": "green", "level": "indices"})
    assert health["number_of_nodes"] == len(URLS), health
    assert set(health["indices"]) >= {INDEX, "library"}, health
    assert client.cluster.stats()["indices"]["count"] >= 3
    assert len(client.nodes.info()["nodes"]) == len(URLS)
    assert len(client.nodes.stats(metric="indices")["nodes"]) == len(URLS)
    rows = client.cat.indices(index=INDEX, params={"format": "json"})
    assert rows[0]["docs.count"] == "1499", rows
    assert "books" in client.cat.shards(index=INDEX, params={"h": "index,shard,prirep"})
    assert isinstance(client.cluster.pending_tasks()["tasks"], list)
    stats = client.indices.stats(index=INDEX)
    assert stats["_all"]["primaries"]["docs"]["count"] == 1499, stats["_all"]


@check("sniffing on start finds every node at its address")
def _() -> None:
    sniffing = OpenSearch(URLS[:1], sniff_on_start=True, sniff_on_connection_fail=True)
    found = sorted(connection.host for connection in sniffing.transport.connection_pool.connections)
    assert len(found) == len(URLS), found
    assert sniffing.count(index=INDEX)["count"] == 1499


@check("the asynchronous client and its helpers")
async def _() -> None:
    async with AsyncOpenSearch(URLS, sniff_on_start=True) as aio:
        count, _ = await helpers.async_bulk(
            aio,
            ({"_index": "async", "_id": i, "n": i} for i in range(300)),
            chunk_size=70,
            refresh=True,
        )
        assert count == 300, count
        found = [hit["_source"]["n"] async for hit in helpers.async_scan(aio, index="async", size=50)]
        assert sorted(found) == list(range(300))
        answer = await aio.search(
            index="async", body={"size": 0, "aggs": {"sum": {"sum": {"field": "n"}}}}
        )
        assert answer["aggregations"]["sum"]["value"] == 44850.0
        try:
            await aio.get(index="async", id="none")
            raise AssertionError("no NotFoundError")
        except NotFoundError as error:
            assert error.status_code == 404


run()
