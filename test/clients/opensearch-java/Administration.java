import java.util.List;
import java.util.Map;
import org.opensearch.client.json.JsonData;
import org.opensearch.client.opensearch.OpenSearchClient;
import org.opensearch.client.opensearch._types.HealthStatus;
import org.opensearch.client.opensearch._types.Time;
import org.opensearch.client.opensearch.cluster.health.ClusterHealthLevel;

/** Every operation of `cluster()`, `nodes()`, `snapshot()`, `ingest()` and `danglingIndices()` that the server has. */
final class Administration {
    /**
     * Whether answers fit the client's types. A product that is embedded in a JVM, as those given by `--against` may be, states a null
     * for `using_bundled_jdk`, lists for settings of a text, and leaves out `deciders`, all of which the client rejects.
     */
    private static final boolean isTyped = System.getenv("CLUSTER_PIDS") != null;

    private Administration() {}

    static void checks(Tap tap, OpenSearchClient client, int nodes) {
        cluster(tap, client, nodes);
        nodes(tap, client, nodes);
        ingest(tap, client);
        if (System.getenv("CLUSTER_REPO") != null) snapshots(tap, client, System.getenv("CLUSTER_REPO"));
    }

    private static void cluster(Tap tap, OpenSearchClient client, int nodes) {
        var cluster = client.cluster();
        tap.check("cluster.health", () -> {
            var health = cluster.health(request -> request.waitForStatus(HealthStatus.Yellow).level(ClusterHealthLevel.Shards).timeout(Time.of(time -> time.time("20s"))));
            Tap.same(health.numberOfNodes(), nodes);
            Tap.same(health.timedOut(), false);
            Tap.holds(health.indices().containsKey("books"), health.indices().keySet());
        });
        if (isTyped)
            tap.check("cluster.stats", () -> {
                var stats = cluster.stats();
                Tap.same(stats.nodes().count().total(), nodes);
                Tap.holds(stats.indices().count() >= 1, stats.indices());
                Tap.holds(stats.nodes().versions().get(0).startsWith("3."), stats.nodes().versions());
            });
        tap.check("cluster.state", () -> Tap.holds(cluster.state().valueBody() != null, "state"));
        tap.check("cluster.pendingTasks", () -> Tap.same(cluster.pendingTasks().tasks().size(), 0));
        tap.check("cluster.getSettings, putSettings", () -> {
            String key = "cluster.routing.allocation.enable";
            var put = cluster.putSettings(request -> request.persistent(key, JsonData.of("all")).flatSettings(true));
            Tap.same(put.acknowledged(), true);
            Tap.same(cluster.getSettings(request -> request.flatSettings(true).includeDefaults(true)).persistent().get(key).to(String.class), "all");
        });
        tap.check("cluster.allocationExplain of a primary that is started", () -> {
            var explained = cluster.allocationExplain(request -> request.index("books").shard(0).primary(true).includeYesDecisions(true));
            Tap.same(explained.currentState(), "started");
            Tap.same(explained.nodeAllocationDecisions().size(), nodes - 1);
        });
        if (isTyped)
            tap.check("cluster.allocationExplain of a replica that cannot be placed", () -> {
                client.indices().create(request -> request.index("crowded").settings(settings -> settings.numberOfShards(1).numberOfReplicas(nodes)));
                cluster.health(request -> request.index("crowded").waitForNoInitializingShards(true).timeout(Time.of(time -> time.time("20s"))));
                var explained = cluster.allocationExplain(request -> request.index("crowded").shard(0).primary(false).includeYesDecisions(true));
                Tap.same(explained.currentState(), "unassigned");
                Tap.same(explained.nodeAllocationDecisions().size(), nodes);
                cluster.allocationExplain();
                client.indices().delete(request -> request.index("crowded"));
            });
        tap.check("cluster.reroute", () -> {
            Tap.same(cluster.reroute(request -> request.dryRun(true).retryFailed(true)).acknowledged(), true);
        });
        tap.check("component templates", () -> {
            cluster.putComponentTemplate(request -> request.name("two-shards").version(3L).template(template -> template.settings(settings -> settings.numberOfShards(2))));
            Tap.same(cluster.existsComponentTemplate(request -> request.name("two-shards")).value(), true);
            var got = cluster.getComponentTemplate(request -> request.name("two-shards"));
            Tap.same(got.componentTemplates().get(0).componentTemplate().version(), 3L);
            cluster.deleteComponentTemplate(request -> request.name("two-shards"));
            Tap.same(cluster.existsComponentTemplate(request -> request.name("two-shards")).value(), false);
        });
        tap.check("cluster.remoteInfo", () -> Tap.same(cluster.remoteInfo().result().size(), 0));
        tap.check("voting configuration exclusions", () -> {
            cluster.postVotingConfigExclusions(request -> request.nodeNames("nobody"));
            cluster.deleteVotingConfigExclusions(request -> request.waitForRemoval(false));
        });
        tap.check("weighted routing and decommission", () -> {
            Tap.fails(400, "action_request_validation_exception", () -> cluster.getWeightedRouting(request -> request.attribute("zone")));
            cluster.getDecommissionAwareness(request -> request.awarenessAttributeName("zone"));
        });
        tap.check("danglingIndices.listDanglingIndices", () -> {
            Tap.same(client.danglingIndices().listDanglingIndices().danglingIndices().size(), 0);
        });
    }

    private static void nodes(Tap tap, OpenSearchClient client, int nodes) {
        if (isTyped)
            tap.check("nodes.info", () -> {
                var info = client.nodes().info();
                Tap.same(info.nodes().size(), nodes);
                for (var node : info.nodes().values()) {
                    Tap.holds(node.http().publishAddress().matches(".+:\\d+"), node.http().publishAddress());
                    Tap.holds(node.version().startsWith("3."), node.version());
                }
            });
        if (isTyped)
            tap.check("nodes.info of a node, with metrics", () -> {
                Tap.same(client.nodes().info(request -> request.nodeId("_local").flatSettings(false)).nodes().size(), 1);
            });
        tap.check("nodes.stats", () -> {
            var stats = client.nodes().stats();
            Tap.same(stats.nodes().size(), nodes);
            long documents = stats.nodes().values().stream().mapToLong(node -> node.indices().docs().count()).sum();
            Tap.holds(documents >= 1200, documents);
        });
    }

    private static void ingest(Tap tap, OpenSearchClient client) {
        tap.check("ingest pipelines", () -> {
            var ingest = client.ingest();
            ingest.putPipeline(request -> request.id("stamp").description("stamps").processors(processor -> processor.set(set -> set.field("seen").value(JsonData.of("yes")))));
            Tap.same(ingest.getPipeline(request -> request.id("stamp")).result().get("stamp").description(), "stamps");
            var simulated = ingest.simulate(request -> request.id("stamp").docs(document -> document.index("books").id("1").source(JsonData.of(Map.of("title", "X")))));
            Tap.same(simulated.docs().size(), 1);
            Tap.same(ingest.deletePipeline(request -> request.id("stamp")).acknowledged(), true);
        });
    }

    private static void snapshots(Tap tap, OpenSearchClient client, String folder) {
        tap.check("snapshots: create, status, get, clone, restore, delete", () -> {
            var snapshot = client.snapshot();
            snapshot.createRepository(request -> request.name("repo").type("fs").settings(settings -> settings.location(folder)));
            Tap.same(snapshot.getRepository(request -> request.name("repo")).result().get("repo").type(), "fs");
            Tap.holds(!snapshot.verifyRepository(request -> request.repository("repo")).nodes().isEmpty(), "no node verified it");
            var created = snapshot.create(request -> request.repository("repo").snapshot("one").indices("books").waitForCompletion(true));
            Tap.same(created.snapshot().state(), "SUCCESS");
            Tap.same(snapshot.status(request -> request.repository("repo").snapshot("one")).snapshots().get(0).state(), "SUCCESS");
            Tap.same(snapshot.get(request -> request.repository("repo").snapshot("_all")).snapshots().size(), 1);
            snapshot.clone(request -> request.repository("repo").snapshot("one").targetSnapshot("two").indices("books"));
            var restored = snapshot.restore(request -> request.repository("repo").snapshot("one").renamePattern("(.+)").renameReplacement("restored-$1").waitForCompletion(true));
            Tap.same(restored.snapshot().shards().failed(), 0);
            Tap.same(client.count(request -> request.index("restored-books")).count(), 1200L);
            Tap.same(client.cat().snapshots(request -> request.repository("repo")).valueBody().size(), 2);
            Tap.same(client.cat().repositories().valueBody().get(0).id(), "repo");
            client.indices().recovery(request -> request.index("restored-books"));
            for (String name : List.of("one", "two")) snapshot.delete(request -> request.repository("repo").snapshot(name));
            snapshot.cleanupRepository(request -> request.repository("repo"));
            snapshot.deleteRepository(request -> request.name("repo"));
            client.indices().delete(request -> request.index("restored-books"));
        });
    }
}
