//! A shop's catalogue on the official Rust client.

mod tap;

use opensearch::{
    cat::{CatIndicesParts, CatShardsParts},
    cluster::{ClusterHealthParts, ClusterStateParts, ClusterStatsParts},
    http::{
        request::JsonBody,
        response::Response,
        transport::{SingleNodeConnectionPool, TransportBuilder},
        StatusCode, Url,
    },
    indices::{
        IndicesCreateParts, IndicesExistsParts, IndicesGetAliasParts, IndicesGetParts, IndicesPutIndexTemplateParts,
        IndicesStatsParts,
    },
    nodes::{NodesInfoParts, NodesStatsParts},
    params::{Refresh, WaitForStatus},
    BulkOperation, BulkOperations, BulkParts, ClearScrollParts, CountParts, DeleteParts, GetParts, IndexParts, MgetParts,
    MsearchParts, OpenSearch, ScrollParts, SearchParts, UpdateParts,
};
use serde_json::{json, Value};
use tap::{same, Outcome, Tap};

const INDEX: &str = "books";
const DOCUMENTS: i64 = 600;
const GENRES: [&str; 4] = ["history", "novel", "poetry", "travel"];

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let urls = std::env::var("CLUSTER_URLS").expect("CLUSTER_URLS");
    let urls: Vec<&str> = urls.split(',').collect();
    let pool = SingleNodeConnectionPool::new(Url::parse(urls[0]).expect("an address"));
    let client = OpenSearch::new(TransportBuilder::new(pool).build().expect("a transport"));
    let mut tap = Tap::default();
    tap.check("the product and the version", info(&client)).await;
    tap.check("an index with settings and mappings", create(&client)).await;
    tap.check("a bulk, with documents that are rejected", bulk(&client)).await;
    tap.check("a search with aggregations and highlights", search(&client)).await;
    tap.check("scrolls", scroll(&client)).await;
    tap.check("writes that depend on a version", versions(&client)).await;
    tap.check("many documents and many searches at once", many(&client)).await;
    tap.check("aliases and templates", templates(&client)).await;
    tap.check("administration and cat", administration(&client, urls.len())).await;
    tap.check("exceptions", exceptions(&client)).await;
    tap.end()
}

async fn read(response: Response) -> Result<Value, Box<dyn std::error::Error>> {
    let response = response.error_for_status_code()?;
    Ok(response.json::<Value>().await?)
}

/// The response is an error with this status and type.
async fn failed(response: Response, status: StatusCode, kind: &str) -> Outcome {
    same("status", response.status_code(), status)?;
    let exception = response.exception().await?.ok_or("no exception")?;
    same("status", exception.status(), Some(status.as_u16()))?;
    same("type", exception.error().ty(), Some(kind))
}

async fn info(client: &OpenSearch) -> Outcome {
    let info = read(client.info().send().await?).await?;
    same("distribution", &info["version"]["distribution"], &json!("opensearch"))?;
    same("ping", client.ping().send().await?.status_code(), StatusCode::OK)
}

async fn create(client: &OpenSearch) -> Outcome {
    let body = json!({
        "settings": { "number_of_shards": 2, "number_of_replicas": 1 },
        "mappings": { "properties": {
            "title": { "type": "text" }, "genre": { "type": "keyword" }, "price": { "type": "double" }
        } }
    });
    let indices = client.indices();
    let created = read(indices.create(IndicesCreateParts::Index(INDEX)).body(body).send().await?).await?;
    same("created", created, json!({ "acknowledged": true, "shards_acknowledged": true, "index": INDEX }))?;
    let exists = indices.exists(IndicesExistsParts::Index(&["none"])).send().await?;
    same("exists", exists.status_code(), StatusCode::NOT_FOUND)
}

async fn bulk(client: &OpenSearch) -> Outcome {
    let mut operations = BulkOperations::new();
    for i in 0..DOCUMENTS {
        let book = json!({
            "title": format!("Volume {i}"), "genre": GENRES[i as usize % 4], "price": (i % 50) as f64 + 0.5
        });
        operations.push(BulkOperation::index(book).id(format!("b-{i}")))?;
    }
    let request = client.bulk(BulkParts::Index(INDEX)).refresh(Refresh::True);
    let answer = read(request.body(vec![operations]).send().await?).await?;
    same("errors", &answer["errors"], &json!(false))?;
    let mixed: Vec<BulkOperation<Value>> = vec![
        BulkOperation::create("b-1", json!({})).into(),
        BulkOperation::update("b-2", json!({ "doc": { "price": 2.5 } })).into(),
        BulkOperation::<Value>::delete("none").into(),
        BulkOperation::index(json!({ "price": "much" })).id("bad").into(),
    ];
    let answer = read(client.bulk(BulkParts::Index(INDEX)).body(mixed).send().await?).await?;
    let items = answer["items"].as_array().ok_or("no items")?;
    let statuses: Vec<Option<i64>> = items
        .iter()
        .map(|item| item.as_object()?.values().next()?["status"].as_i64())
        .collect();
    same("statuses", statuses, vec![Some(409), Some(200), Some(404), Some(400)])
}

async fn search(client: &OpenSearch) -> Outcome {
    let body = json!({
        "size": 3,
        "query": { "bool": { "must": { "match": { "title": "volume" } }, "filter": { "term": { "genre": "poetry" } } } },
        "sort": [{ "price": "desc" }],
        "highlight": { "fields": { "title": {} } },
        "aggs": { "genres": { "terms": { "field": "genre" } } }
    });
    let found = read(client.search(SearchParts::Index(&[INDEX])).body(body).send().await?).await?;
    same("total", &found["hits"]["total"]["value"], &json!(DOCUMENTS / 4))?;
    same("bucket", &found["aggregations"]["genres"]["buckets"][0]["key"], &json!("poetry"))?;
    let highlight = found["hits"]["hits"][0]["highlight"]["title"][0].as_str().ok_or("no highlight")?;
    same("highlight", highlight.starts_with("<em>Volume</em>"), true)
}

async fn scroll(client: &OpenSearch) -> Outcome {
    let first = client.search(SearchParts::Index(&[INDEX])).scroll("1m").size(250).send().await?;
    let mut page = read(first).await?;
    let mut seen = 0;
    loop {
        let hits = page["hits"]["hits"].as_array().ok_or("no hits")?.len();
        let id = page["_scroll_id"].as_str().ok_or("no scroll")?.to_owned();
        seen += hits as i64;
        if hits == 0 {
            let cleared = client.clear_scroll(ClearScrollParts::None).body(json!({ "scroll_id": [id] })).send().await?;
            same("succeeded", &read(cleared).await?["succeeded"], &json!(true))?;
            return same("seen", seen, DOCUMENTS);
        }
        let next = client.scroll(ScrollParts::None).body(json!({ "scroll_id": id, "scroll": "1m" })).send().await?;
        page = read(next).await?;
    }
}

async fn versions(client: &OpenSearch) -> Outcome {
    let at = || client.index(IndexParts::IndexId(INDEX, "v"));
    let first = read(at().body(json!({ "title": "One" })).send().await?).await?;
    let seq_no = first["_seq_no"].as_i64().ok_or("no _seq_no")?;
    let term = first["_primary_term"].as_i64().ok_or("no _primary_term")?;
    let second = at().if_seq_no(seq_no).if_primary_term(term).body(json!({ "title": "Two" })).send().await?;
    same("version", &read(second).await?["_version"], &json!(2))?;
    let third = at().if_seq_no(seq_no).if_primary_term(term).body(json!({})).send().await?;
    failed(third, StatusCode::CONFLICT, "version_conflict_engine_exception").await?;
    let update = client.update(UpdateParts::IndexId(INDEX, "v")).body(json!({ "doc": { "price": 2 } })).send().await?;
    same("result", &read(update).await?["result"], &json!("updated"))?;
    let got = read(client.get(GetParts::IndexId(INDEX, "v")).send().await?).await?;
    same("source", &got["_source"], &json!({ "title": "Two", "price": 2 }))?;
    let deleted = client.delete(DeleteParts::IndexId(INDEX, "v")).refresh(Refresh::WaitFor).send().await?;
    same("result", &read(deleted).await?["result"], &json!("deleted"))
}

async fn many(client: &OpenSearch) -> Outcome {
    let both = read(client.mget(MgetParts::Index(INDEX)).body(json!({ "ids": ["b-1", "none"] })).send().await?).await?;
    same("found", &both["docs"][0]["found"], &json!(true))?;
    same("found", &both["docs"][1]["found"], &json!(false))?;
    let lines: Vec<JsonBody<Value>> = vec![
        json!({ "index": INDEX }).into(),
        json!({ "size": 1 }).into(),
        json!({ "index": "none" }).into(),
        json!({}).into(),
    ];
    let searched = read(client.msearch(MsearchParts::None).body(lines).send().await?).await?;
    same("status", &searched["responses"][0]["status"], &json!(200))?;
    same("status", &searched["responses"][1]["status"], &json!(404))?;
    let counted = read(client.count(CountParts::Index(&[INDEX])).send().await?).await?;
    same("count", &counted["count"], &json!(DOCUMENTS))
}

async fn templates(client: &OpenSearch) -> Outcome {
    let indices = client.indices();
    let actions = json!({ "actions": [{ "add": { "index": INDEX, "alias": "catalogue" } }] });
    read(indices.update_aliases().body(actions).send().await?).await?;
    let aliases = read(indices.get_alias(IndicesGetAliasParts::Name(&["catalogue"])).send().await?).await?;
    same("aliases", aliases, json!({ INDEX: { "aliases": { "catalogue": {} } } }))?;
    let body = json!({ "index_patterns": ["logs-*"], "template": { "settings": { "number_of_shards": 2 } } });
    let put = indices.put_index_template(IndicesPutIndexTemplateParts::Name("logs")).body(body).send().await?;
    read(put).await?;
    read(client.index(IndexParts::Index("logs-1")).body(json!({ "a": 1 })).send().await?).await?;
    let got = read(indices.get(IndicesGetParts::Index(&["logs-1"])).send().await?).await?;
    same("shards", &got["logs-1"]["settings"]["index"]["number_of_shards"], &json!("2"))
}

async fn administration(client: &OpenSearch, nodes: usize) -> Outcome {
    let cluster = client.cluster();
    let health = cluster.health(ClusterHealthParts::None).wait_for_status(WaitForStatus::Yellow).send().await?;
    same("nodes", &read(health).await?["number_of_nodes"], &json!(nodes))?;
    let state = read(cluster.state(ClusterStateParts::None).send().await?).await?;
    same("nodes", state["nodes"].as_object().map(|all| all.len()), Some(nodes))?;
    let stats = read(cluster.stats(ClusterStatsParts::None).send().await?).await?;
    same("nodes", &stats["nodes"]["count"]["total"], &json!(nodes))?;
    let info = read(client.nodes().info(NodesInfoParts::None).send().await?).await?;
    same("nodes", &info["_nodes"]["successful"], &json!(nodes))?;
    let stats = read(client.nodes().stats(NodesStatsParts::None).send().await?).await?;
    same("nodes", &stats["_nodes"]["successful"], &json!(nodes))?;
    let stats = read(client.indices().stats(IndicesStatsParts::Index(&[INDEX])).send().await?).await?;
    same("documents", &stats["_all"]["primaries"]["docs"]["count"], &json!(DOCUMENTS))?;
    let rows = read(client.cat().indices(CatIndicesParts::Index(&[INDEX])).format("json").send().await?).await?;
    same("documents", &rows[0]["docs.count"], &json!(DOCUMENTS.to_string()))?;
    let rows = client.cat().shards(CatShardsParts::Index(&[INDEX])).send().await?.text().await?;
    same("rows", rows.lines().count(), 4)
}

async fn exceptions(client: &OpenSearch) -> Outcome {
    let missing = client.search(SearchParts::Index(&["none"])).send().await?;
    failed(missing, StatusCode::NOT_FOUND, "index_not_found_exception").await?;
    let body = json!({ "query": { "nonsense": {} } });
    let unparsed = client.search(SearchParts::Index(&[INDEX])).body(body).send().await?;
    failed(unparsed, StatusCode::BAD_REQUEST, "parsing_exception").await?;
    let twice = client.indices().create(IndicesCreateParts::Index(INDEX)).send().await?;
    failed(twice, StatusCode::BAD_REQUEST, "resource_already_exists_exception").await
}
