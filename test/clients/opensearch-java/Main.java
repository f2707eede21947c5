import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hc.core5.http.HttpHost;
import org.opensearch.client.json.JsonData;
import org.opensearch.client.json.jackson.JacksonJsonpMapper;
import org.opensearch.client.opensearch.OpenSearchAsyncClient;
import org.opensearch.client.opensearch.OpenSearchClient;
import org.opensearch.client.opensearch._types.FieldValue;
import org.opensearch.client.opensearch._types.Refresh;
import org.opensearch.client.opensearch._types.Result;
import org.opensearch.client.opensearch._types.SortOrder;
import org.opensearch.client.opensearch._types.Time;
import org.opensearch.client.opensearch._types.aggregations.CalendarInterval;
import org.opensearch.client.opensearch.core.BulkRequest;
import org.opensearch.client.opensearch.core.BulkResponse;
import org.opensearch.client.opensearch.core.SearchResponse;
import org.opensearch.client.opensearch.core.search.Hit;
import org.opensearch.client.opensearch.core.search.Pit;
import org.opensearch.client.transport.OpenSearchTransport;
import org.opensearch.client.transport.httpclient5.ApacheHttpClient5TransportBuilder;

/** A shop's catalogue on the official Java client, whose typed answers reject a member that is missing or of another type. */
public final class Main {
    private static final String INDEX = "books";
    private static final List<String> GENRES = List.of("history", "novel", "poetry", "travel");
    private static final int DOCUMENTS = 1200;

    public static final class Book {
        public String title;
        public String genre;
        public Double price;
        public String published;

        public Book() {}

        Book(String title, String genre, Double price, String published) {
            this.title = title;
            this.genre = genre;
            this.price = price;
            this.published = published;
        }
    }

    public static void main(String[] arguments) throws Exception {
        String[] urls = System.getenv("CLUSTER_URLS").split(",");
        HttpHost[] hosts = new HttpHost[urls.length];
        for (int i = 0; i < urls.length; i++) hosts[i] = HttpHost.create(URI.create(urls[i]));
        OpenSearchTransport transport =
            ApacheHttpClient5TransportBuilder.builder(hosts).setMapper(new JacksonJsonpMapper()).build();
        OpenSearchClient client = new OpenSearchClient(transport);
        Tap tap = new Tap();
        documents(tap, client, new OpenSearchAsyncClient(transport));
        Administration.checks(tap, client, urls.length);
        Indices.checks(tap, client);
        Cat.checks(tap, client, urls.length);
        int code = tap.run();
        transport.close();
        System.exit(code);
    }

    private static void documents(Tap tap, OpenSearchClient client, OpenSearchAsyncClient async) {
        tap.check("the product and the version", () -> {
            Tap.same(client.info().version().distribution(), "opensearch");
            Tap.same(client.ping().value(), true);
        });
        tap.check("an index with settings, mappings and an alias", () -> {
            var created = client.indices().create(request -> request
                .index(INDEX)
                .settings(settings -> settings.numberOfShards(2).numberOfReplicas(1))
                .mappings(mappings -> mappings
                    .properties("title", field -> field.text(text -> text.fields("raw", raw -> raw.keyword(keyword -> keyword))))
                    .properties("genre", field -> field.keyword(keyword -> keyword))
                    .properties("price", field -> field.double_(number -> number))
                    .properties("published", field -> field.date(date -> date)))
                .aliases("catalogue", alias -> alias));
            Tap.same(created.acknowledged(), true);
            Tap.same(created.shardsAcknowledged(), true);
            Tap.same(created.index(), INDEX);
            Tap.same(client.indices().exists(request -> request.index(INDEX)).value(), true);
            Tap.same(client.indices().exists(request -> request.index("none")).value(), false);
        });
        tap.check("a bulk with a document that is rejected", () -> {
            BulkRequest.Builder request = new BulkRequest.Builder().refresh(Refresh.True);
            for (int i = 0; i < DOCUMENTS; i++) {
                Book book = new Book("Volume " + i + " of " + GENRES.get(i % 4), GENRES.get(i % 4), i % 50 + 0.5, (2000 + i % 20) + "-01-01");
                String id = "b-" + i;
                request.operations(one -> one.index(operation -> operation.index(INDEX).id(id).document(book)));
            }
            BulkResponse answer = client.bulk(request.build());
            Tap.same(answer.errors(), false);
            Tap.same(answer.items().size(), DOCUMENTS);
            BulkResponse second = client.bulk(bulk -> bulk
                .operations(one -> one.create(operation -> operation.index(INDEX).id("b-1").document(new Book())))
                .operations(one -> one.update(operation -> operation.index(INDEX).id("b-2").document(Map.of("price", 2.5))))
                .operations(one -> one.delete(operation -> operation.index(INDEX).id("none"))));
            Tap.same(second.errors(), true);
            Tap.same(second.items().stream().map(item -> item.status()).toList(), List.of(409, 200, 404));
            Tap.same(second.items().get(0).error().type(), "version_conflict_engine_exception");
        });
        tap.check("a search with aggregations, highlights and sorting", () -> {
            SearchResponse<Book> answer = client.search(request -> request
                .index("catalogue")
                .size(5)
                .trackTotalHits(total -> total.enabled(true))
                .query(query -> query.bool(bool -> bool
                    .must(must -> must.match(match -> match.field("title").query(FieldValue.of("poetry"))))
                    .filter(filter -> filter.range(range -> range.field("price").gte(JsonData.of(10)).lt(JsonData.of(40))))))
                .sort(sort -> sort.field(field -> field.field("price").order(SortOrder.Desc)))
                .sort(sort -> sort.field(field -> field.field("title.raw").order(SortOrder.Asc)))
                .highlight(highlight -> highlight.fields("title", field -> field))
                .aggregations("genres", genres -> genres
                    .terms(terms -> terms.field("genre"))
                    .aggregations("price", price -> price.stats(stats -> stats.field("price"))))
                .aggregations("years", years -> years.dateHistogram(dates -> dates.field("published").calendarInterval(CalendarInterval.Year)))
                .aggregations("titles", titles -> titles.cardinality(count -> count.field("title.raw")))
                .aggregations("prices", prices -> prices.percentiles(percentiles -> percentiles.field("price")))
                .aggregations("cheap", cheap -> cheap.filter(filter -> filter.range(range -> range.field("price").lt(JsonData.of(20)))))
                .aggregations("bands", bands -> bands.range(range -> range.field("price").ranges(band -> band.to(JsonData.of("20"))).ranges(band -> band.from(JsonData.of("20"))))),
                Book.class);
            long total = answer.hits().total().value();
            Tap.holds(total > 100, total);
            Tap.same(answer.hits().hits().size(), 5);
            Hit<Book> first = answer.hits().hits().get(0);
            Tap.same(first.source().genre, "poetry");
            Tap.holds(first.highlight().get("title").get(0).contains("<em>poetry</em>"), first.highlight());
            var genres = answer.aggregations().get("genres").sterms().buckets().array();
            Tap.same(genres.get(0).key(), "poetry");
            Tap.same(genres.get(0).docCount(), total);
            Tap.same((long) genres.get(0).aggregations().get("price").stats().count(), total);
            Tap.holds(answer.aggregations().get("years").dateHistogram().buckets().array().size() > 3, "years");
            Tap.same((long) answer.aggregations().get("titles").cardinality().value(), total);
            Tap.holds(answer.aggregations().get("cheap").filter().docCount() > 0, "cheap");
            Tap.same(answer.aggregations().get("bands").range().buckets().array().size(), 2);
        });
        tap.check("scrolls", () -> {
            Set<String> seen = new TreeSet<>();
            var page = client.search(request -> request.index(INDEX).size(500).scroll(Time.of(time -> time.time("1m"))), Book.class);
            String scroll = page.scrollId();
            List<Hit<Book>> hits = page.hits().hits();
            while (!hits.isEmpty()) {
                hits.forEach(hit -> seen.add(hit.id()));
                String id = scroll;
                var next = client.scroll(request -> request.scrollId(id).scroll(Time.of(time -> time.time("1m"))), Book.class);
                scroll = next.scrollId();
                hits = next.hits().hits();
            }
            Tap.same(seen.size(), DOCUMENTS);
            String last = scroll;
            Tap.same(client.clearScroll(request -> request.scrollId(last)).succeeded(), true);
        });
        tap.check("a point in time, page by page", () -> {
            var pit = client.createPit(request -> request.index(INDEX).keepAlive(Time.of(time -> time.time("1m"))));
            Tap.same(pit.shards().failed(), 0);
            Set<String> seen = new TreeSet<>();
            List<FieldValue> after = List.of();
            while (true) {
                List<FieldValue> from = after;
                var page = client.search(request -> {
                    request.size(500).pit(new Pit.Builder().id(pit.pitId()).keepAlive("1m").build());
                    request.sort(sort -> sort.field(field -> field.field("title.raw").order(SortOrder.Asc)));
                    return from.isEmpty() ? request : request.searchAfter(from);
                }, Book.class);
                if (page.hits().hits().isEmpty()) break;
                page.hits().hits().forEach(hit -> seen.add(hit.id()));
                after = page.hits().hits().get(page.hits().hits().size() - 1).sort();
            }
            Tap.same(seen.size(), DOCUMENTS);
            Tap.same(client.getAllPits().pits().size(), 1);
            Tap.same(client.cat().allPitSegments().valueBody().isEmpty(), false);
            Tap.same(client.deletePit(request -> request.pitId(pit.pitId())).pits().get(0).successful(), true);
            Tap.same(client.deleteAllPits().pits().size(), 0);
        });
        tap.check("writes that depend on a version, and the exception of a conflict", () -> {
            var first = client.index(request -> request.index(INDEX).id("v").document(new Book("One", "novel", 1.0, null)));
            Tap.same(first.result(), Result.Created);
            client.index(request -> request.index(INDEX).id("v").document(new Book("Two", null, null, null))
                .ifSeqNo(first.seqNo()).ifPrimaryTerm(first.primaryTerm()));
            Tap.fails(409, "version_conflict_engine_exception", () ->
                client.index(request -> request.index(INDEX).id("v").document(new Book())
                    .ifSeqNo(first.seqNo()).ifPrimaryTerm(first.primaryTerm())));
            var merged = client.update(request -> request.index(INDEX).id("v").doc(Map.of("price", 3.5)).source(source -> source.fetch(true)), Book.class);
            Tap.same(merged.get().source().price, 3.5);
            var upserted = client.update(request -> request.index(INDEX).id("u").doc(Map.of("title", "U")).docAsUpsert(true), Book.class);
            Tap.same(upserted.result(), Result.Created);
            Tap.same(client.create(request -> request.index(INDEX).id("w").document(new Book())).result(), Result.Created);
            for (String id : List.of("u", "v", "w"))
                Tap.same(client.delete(request -> request.index(INDEX).id(id).refresh(Refresh.WaitFor)).result(), Result.Deleted);
        });
        tap.check("documents by id", () -> {
            Tap.same(client.get(request -> request.index(INDEX).id("b-7"), Book.class).source().genre, "travel");
            Tap.same(client.get(request -> request.index(INDEX).id("none"), Book.class).found(), false);
            Tap.same(client.exists(request -> request.index(INDEX).id("b-7")).value(), true);
            Tap.same(client.existsSource(request -> request.index(INDEX).id("none")).value(), false);
            Tap.same(client.getSource(request -> request.index(INDEX).id("b-7"), Book.class).valueBody().price, 7.5);
            var many = client.mget(request -> request.index(INDEX).ids("b-1", "none"), Book.class);
            Tap.same(many.docs().get(0).result().found(), true);
            Tap.same(many.docs().get(1).result().found(), false);
            Tap.same(client.count(request -> request.index(INDEX)).count(), (long) DOCUMENTS);
            var both = client.msearch(request -> request
                .searches(search -> search.header(header -> header.index(INDEX)).body(body -> body.size(1).query(query -> query.matchAll(all -> all))))
                .searches(search -> search.header(header -> header.index("none")).body(body -> body)), Book.class);
            Tap.same(both.responses().get(0).result().hits().hits().size(), 1);
            Tap.same(both.responses().get(1).failure().error().type(), "index_not_found_exception");
        });
        tap.check("script contexts and languages", () -> {
            Tap.holds(!client.getScriptContext().contexts().isEmpty(), "contexts");
            Tap.holds(!client.getScriptLanguages().languageContexts().isEmpty(), "languages");
        });
        tap.check("the asynchronous client", () -> {
            var futures = new ArrayList<java.util.concurrent.CompletableFuture<SearchResponse<Book>>>();
            for (String genre : GENRES)
                futures.add(async.search(request -> request.index(INDEX).size(0)
                    .query(query -> query.term(term -> term.field("genre").value(FieldValue.of(genre)))), Book.class));
            for (var future : futures) Tap.same(future.get().hits().total().value(), DOCUMENTS / 4L);
        });
        tap.check("exceptions", () -> {
            Tap.fails(404, "index_not_found_exception", () -> client.search(request -> request.index("none"), Book.class));
            Tap.fails(400, "resource_already_exists_exception", () -> client.indices().create(request -> request.index(INDEX)));
            Tap.fails(400, "search_phase_execution_exception", () ->
                client.search(request -> request.index(INDEX).sort(sort -> sort.field(field -> field.field("none"))), Book.class));
            Tap.fails(400, "illegal_argument_exception", () ->
                client.indices().putMapping(request -> request.index(INDEX).properties("genre", field -> field.text(text -> text))));
        });
    }
}
