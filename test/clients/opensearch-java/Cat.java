import org.opensearch.client.opensearch.OpenSearchClient;

/** Every operation of `cat()` that the server has. */
final class Cat {
    private Cat() {}

    static void checks(Tap tap, OpenSearchClient client, int nodes) {
        var cat = client.cat();
        tap.check("cat.aliases", () -> Tap.same(cat.aliases().valueBody().get(0).alias(), "catalogue"));
        tap.check("cat.allocation", () -> Tap.same(cat.allocation().valueBody().size(), nodes));
        tap.check("cat.clusterManager, master", () -> {
            Tap.same(cat.clusterManager().valueBody().size(), 1);
            Tap.same(cat.master().valueBody().size(), 1);
        });
        tap.check("cat.count", () -> Tap.same(cat.count(request -> request.index("books")).valueBody().get(0).count(), "1200"));
        tap.check("cat.health", () -> Tap.same(cat.health().valueBody().get(0).nodeTotal(), String.valueOf(nodes)));
        tap.check("cat.indices", () -> {
            var row = cat.indices(request -> request.index("books")).valueBody().get(0);
            Tap.same(row.index(), "books");
            Tap.same(row.docsCount(), "1200");
        });
        tap.check("cat.nodeattrs", () -> cat.nodeattrs().valueBody());
        tap.check("cat.nodes", () -> Tap.same(cat.nodes().valueBody().size(), nodes));
        tap.check("cat.pendingTasks", () -> Tap.same(cat.pendingTasks().valueBody().size(), 0));
        tap.check("cat.plugins", () -> cat.plugins().valueBody());
        tap.check("cat.recovery", () -> Tap.holds(cat.recovery(request -> request.index("books")).valueBody().size() == 4, "recovery"));
        tap.check("cat.repositories", () -> Tap.same(cat.repositories().valueBody().size(), 0));
        tap.check("cat.segmentReplication", () -> Tap.same(cat.segmentReplication().valueBody().size(), 0));
        tap.check("cat.segments", () -> Tap.holds(!cat.segments(request -> request.index("books")).valueBody().isEmpty(), "segments"));
        tap.check("cat.shards", () -> Tap.same(cat.shards(request -> request.index("books")).valueBody().size(), 4));
        tap.check("cat.templates", () -> cat.templates().valueBody());
    }
}
