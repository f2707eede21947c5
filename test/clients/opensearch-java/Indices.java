import java.util.Map;
import org.opensearch.client.opensearch.OpenSearchClient;
import org.opensearch.client.opensearch._types.Level;
import org.opensearch.client.opensearch._types.Refresh;
import org.opensearch.client.opensearch._types.Time;
import org.opensearch.client.opensearch.indices.add_block.IndicesBlockOptions;
import org.opensearch.client.opensearch.indices.shard_stores.ShardStoreStatus;

/** Every operation of `indices()` that the server has. */
final class Indices {
    private Indices() {}

    static void checks(Tap tap, OpenSearchClient client) {
        var indices = client.indices();
        tap.check("indices.get, getMapping, getFieldMapping, getSettings", () -> {
            var got = indices.get(request -> request.index("books")).result().get("books");
            Tap.same(got.settings().index().numberOfShards(), 2);
            Tap.holds(got.aliases().containsKey("catalogue"), got.aliases());
            Tap.holds(got.mappings().properties().get("genre").isKeyword(), got.mappings());
            var mapping = indices.getMapping(request -> request.index("books")).result().get("books");
            Tap.holds(mapping.mappings().properties().get("price").isDouble(), mapping.mappings());
            var field = indices.getFieldMapping(request -> request.index("books").fields("genre")).result().get("books");
            Tap.same(field.mappings().get("genre").fullName(), "genre");
            var settings = indices.getSettings(request -> request.index("books").includeDefaults(true)).result().get("books");
            Tap.holds(settings.settings().index() != null, settings);
        });
        tap.check("indices.putMapping, putSettings", () -> {
            Tap.same(indices.putMapping(request -> request.index("books").properties("stock", field -> field.integer(number -> number))).acknowledged(), true);
            Tap.same(indices.putSettings(request -> request.index("books").settings(settings -> settings.refreshInterval(Time.of(time -> time.time("5s"))))).acknowledged(), true);
        });
        tap.check("indices.stats, segments, shardStores, recovery", () -> {
            indices.flush(request -> request.index("books").force(true));
            var stats = indices.stats(request -> request.index("books"));
            Tap.same(stats.all().primaries().docs().count(), 1200L);
            Tap.same(stats.indices().get("books").shards().size(), 0);
            Tap.holds(!indices.segments(request -> request.index("books")).indices().get("books").shards().isEmpty(), "segments");
            indices.shardStores(request -> request.index("books").status(ShardStoreStatus.All));
            var recovery = indices.recovery(request -> request.index("books"));
            Tap.same(recovery.result().get("books").shards().size(), 4);
        });
        tap.check("indices.stats of every index, by shards", () -> {
            indices.stats(request -> request.level(Level.Shards));
        });
        tap.check("indices.refresh, flush, forcemerge, clearCache", () -> {
            Tap.same(indices.refresh(request -> request.index("books")).shards().failed(), 0);
            Tap.same(indices.flush(request -> request.index("books")).shards().failed(), 0);
            Tap.same(indices.forcemerge(request -> request.index("books").maxNumSegments(1L)).shards().failed(), 0);
            Tap.same(indices.clearCache(request -> request.index("books")).shards().failed(), 0);
        });
        tap.check("aliases", () -> {
            Tap.same(indices.putAlias(request -> request.index("books").name("novels").filter(filter -> filter.term(term -> term.field("genre").value(value -> value.stringValue("novel"))))).acknowledged(), true);
            Tap.same(indices.existsAlias(request -> request.name("novels")).value(), true);
            Tap.holds(indices.getAlias(request -> request.name("novels")).result().get("books").aliases().get("novels").filter().isTerm(), "filter");
            Tap.same(indices.updateAliases(request -> request
                .actions(action -> action.remove(remove -> remove.index("books").alias("novels")))
                .actions(action -> action.add(add -> add.index("books").alias("fiction")))).acknowledged(), true);
            Tap.same(indices.deleteAlias(request -> request.index("books").name("fiction")).acknowledged(), true);
            Tap.same(indices.existsAlias(request -> request.name("fiction")).value(), false);
        });
        tap.check("index templates and legacy templates", () -> {
            indices.putIndexTemplate(request -> request.name("logs").indexPatterns("logs-*").priority(7).dataStream(stream -> stream)
                .template(template -> template.settings(settings -> settings.numberOfShards(1))));
            Tap.same(indices.existsIndexTemplate(request -> request.name("logs")).value(), true);
            Tap.same(indices.getIndexTemplate(request -> request.name("logs")).indexTemplates().get(0).indexTemplate().priority(), 7L);
            indices.putTemplate(request -> request.name("old").indexPatterns("old-*").order(1));
            Tap.same(indices.existsTemplate(request -> request.name("old")).value(), true);
            Tap.same(indices.getTemplate(request -> request.name("old")).result().get("old").order(), 1);
            Tap.same(client.cat().templates().valueBody().size() >= 2, true);
            indices.deleteTemplate(request -> request.name("old"));
        });
        tap.check("data streams and rollover", () -> {
            Tap.same(indices.createDataStream(request -> request.name("logs-a")).acknowledged(), true);
            client.create(request -> request.index("logs-a").id("1").refresh(Refresh.True).document(Map.of("@timestamp", "2026-01-01")));
            Tap.same(indices.getDataStream(request -> request.name("logs-a")).dataStreams().get(0).generation(), 1L);
            Tap.same(indices.dataStreamsStats(request -> request.name("logs-a")).dataStreamCount(), 1);
            var rolled = indices.rollover(request -> request.alias("logs-a").conditions(conditions -> conditions.maxDocs(1L)));
            Tap.same(rolled.rolledOver(), true);
            var resolved = indices.resolveIndex(request -> request.name("*"));
            Tap.same(resolved.dataStreams().get(0).name(), "logs-a");
            Tap.same(indices.deleteDataStream(request -> request.name("logs-a")).acknowledged(), true);
            Tap.same(indices.deleteIndexTemplate(request -> request.name("logs")).acknowledged(), true);
        });
        tap.check("indices.close, open, addBlock, delete", () -> {
            indices.create(request -> request.index("shelf"));
            Tap.same(indices.close(request -> request.index("shelf")).indices().get("shelf").closed(), true);
            Tap.fails(400, "index_closed_exception", () -> client.count(request -> request.index("shelf")));
            Tap.same(indices.open(request -> request.index("shelf")).acknowledged(), true);
            Tap.same(indices.addBlock(request -> request.index("shelf").block(IndicesBlockOptions.Write)).indices().get(0).blocked(), true);
            Tap.fails(403, "cluster_block_exception", () -> client.index(request -> request.index("shelf").document(Map.of("a", 1))));
            Tap.same(indices.delete(request -> request.index("shelf")).acknowledged(), true);
        });
    }
}
