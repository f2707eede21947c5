package main

import (
	"context"
	"fmt"
	"os"

	api "github.com/opensearch-project/opensearch-go/v4/opensearchapi"
)

// Administration, whose answers the client decodes into its own types.
func administrationChecks(t *tap, client *api.Client, nodes int) {
	ctx := context.Background()
	books := []string{index}
	t.check("cluster: health, state, stats, settings, explanation, reroute", func() error {
		health, err := client.Cluster.Health(ctx, &api.ClusterHealthReq{Params: api.ClusterHealthParams{WaitForStatus: "yellow", Level: "shards"}})
		if err != nil {
			return err
		}
		state, err := client.Cluster.State(ctx, nil)
		if err != nil {
			return err
		}
		stats, err := client.Cluster.Stats(ctx, nil)
		if err != nil {
			return err
		}
		settings, err := client.Cluster.PutSettings(ctx, api.ClusterPutSettingsReq{Body: body(`{"transient": {"cluster.routing.allocation.enable": null}}`)})
		if err != nil {
			return err
		}
		if _, err := client.Cluster.GetSettings(ctx, nil); err != nil {
			return err
		}
		explained, err := client.Cluster.AllocationExplain(ctx, &api.ClusterAllocationExplainReq{
			Body: &api.ClusterAllocationExplainBody{Index: index, Shard: 0, Primary: true},
		})
		if err != nil {
			return err
		}
		pending, err := client.Cluster.PendingTasks(ctx, nil)
		if err != nil {
			return err
		}
		if _, err := client.Cluster.Reroute(ctx, api.ClusterRerouteReq{Body: body(`{"commands": []}`)}); err != nil {
			return err
		}
		return first(
			same("nodes", health.NumberOfNodes, nodes),
			same("nodes of the state", len(state.Nodes), nodes),
			same("nodes of the statistics", stats.NodesInfo.Total, nodes),
			same("acknowledged", settings.Acknowledged, true),
			same("state", explained.CurrentState, "started"),
			same("pending tasks", len(pending.Tasks), 0),
		)
	})
	t.check("nodes: information and statistics", func() error {
		info, err := client.Nodes.Info(ctx, nil)
		if err != nil {
			return err
		}
		stats, err := client.Nodes.Stats(ctx, nil)
		if err != nil {
			return err
		}
		for id, node := range info.Nodes {
			if node.HTTP.PublishAddress == "" || stats.Nodes[id].Name != node.Name {
				return fmt.Errorf("node %s: %v", id, node.HTTP)
			}
		}
		return first(same("nodes", len(info.Nodes), nodes), same("nodes", len(stats.Nodes), nodes))
	})
	t.check("indices: everything that is asked of one", func() error {
		got, err := client.Indices.Get(ctx, api.IndicesGetReq{Indices: books})
		if err != nil {
			return err
		}
		stats, err := client.Indices.Stats(ctx, &api.IndicesStatsReq{Indices: books})
		if err != nil {
			return err
		}
		_, err = client.Indices.Segments(ctx, &api.IndicesSegmentsReq{Indices: books})
		if err != nil {
			return err
		}
		_, err = client.Indices.ShardStores(ctx, &api.IndicesShardStoresReq{Indices: books, Params: api.IndicesShardStoresParams{Status: []string{"all"}}})
		if err != nil {
			return err
		}
		_, err = client.Indices.Recovery(ctx, &api.IndicesRecoveryReq{Indices: books})
		if err != nil {
			return err
		}
		_, err = client.Indices.Flush(ctx, &api.IndicesFlushReq{Indices: books})
		if err != nil {
			return err
		}
		_, err = client.Indices.Forcemerge(ctx, &api.IndicesForcemergeReq{Indices: books})
		if err != nil {
			return err
		}
		_, err = client.Indices.ClearCache(ctx, &api.IndicesClearCacheReq{Indices: books})
		if err != nil {
			return err
		}
		resolved, err := client.Indices.Resolve(ctx, api.IndicesResolveReq{Indices: books})
		if err != nil {
			return err
		}
		return first(
			same("indices", len(*got.IndicesGetRespData), 1),
			same("documents", stats.All.Primaries.Docs.Count, documents),
			same("resolved", resolved.Indices[0].Name, index),
		)
	})
	t.check("aliases, templates, data streams, pipelines", func() error {
		_, err := client.Aliases(ctx, api.AliasesReq{Body: body(`{"actions": [{"add": {"index": "books", "alias": "catalogue"}}]}`)})
		if err != nil {
			return err
		}
		_, err = client.IndexTemplate.Create(ctx, api.IndexTemplateCreateReq{IndexTemplate: "logs", Body: body(`{"index_patterns": ["logs-*"], "data_stream": {}}`)})
		if err != nil {
			return err
		}
		_, err = client.DataStream.Create(ctx, api.DataStreamCreateReq{DataStream: "logs-a"})
		if err != nil {
			return err
		}
		streams, err := client.DataStream.Get(ctx, &api.DataStreamGetReq{DataStreams: []string{"logs-a"}})
		if err != nil {
			return err
		}
		if _, err = client.DataStream.Stats(ctx, nil); err != nil {
			return err
		}
		if _, err = client.DataStream.Delete(ctx, api.DataStreamDeleteReq{DataStream: "logs-a"}); err != nil {
			return err
		}
		_, err = client.Ingest.Create(ctx, api.IngestCreateReq{PipelineID: "stamp", Body: body(`{"processors": [{"set": {"field": "a", "value": "b"}}]}`)})
		if err != nil {
			return err
		}
		simulated, err := client.Ingest.Simulate(ctx, api.IngestSimulateReq{PipelineID: "stamp", Body: body(`{"docs": [{"_source": {}}]}`)})
		if err != nil {
			return err
		}
		_, err = client.Ingest.Delete(ctx, api.IngestDeleteReq{PipelineID: "stamp"})
		return first(err, same("streams", len(streams.DataStreams), 1), same("simulated", len(simulated.Docs), 1))
	})
	t.check("cat", func() error {
		indices, err := client.Cat.Indices(ctx, &api.CatIndicesReq{Indices: books})
		if err != nil {
			return err
		}
		all, err := client.Cat.Nodes(ctx, nil)
		if err != nil {
			return err
		}
		shards, err := client.Cat.Shards(ctx, &api.CatShardsReq{Indices: books})
		if err != nil {
			return err
		}
		if _, err = client.Cat.Allocation(ctx, nil); err != nil {
			return err
		}
		if _, err = client.Cat.Aliases(ctx, nil); err != nil {
			return err
		}
		if _, err = client.Cat.Health(ctx, nil); err != nil {
			return err
		}
		if _, err = client.Cat.Recovery(ctx, nil); err != nil {
			return err
		}
		if _, err = client.Cat.Segments(ctx, nil); err != nil {
			return err
		}
		if _, err = client.Cat.Templates(ctx, nil); err != nil {
			return err
		}
		if _, err = client.Cat.ClusterManager(ctx, nil); err != nil {
			return err
		}
		return first(
			same("documents", *indices.Indices[0].DocsCount, documents),
			same("nodes", len(all.Nodes), nodes),
			same("shards", len(shards.Shards), 4),
		)
	})
	if os.Getenv("CLUSTER_REPO") == "" {
		return
	}
	t.check("snapshots", func() error {
		wait := true
		_, err := client.Snapshot.Repository.Create(ctx, api.SnapshotRepositoryCreateReq{
			Repo: "repo", Body: body(fmt.Sprintf(`{"type": "fs", "settings": {"location": %q}}`, os.Getenv("CLUSTER_REPO")+"/go")),
		})
		if err != nil {
			return err
		}
		created, err := client.Snapshot.Create(ctx, api.SnapshotCreateReq{
			Repo: "repo", Snapshot: "one", Body: body(`{"indices": "books"}`), Params: api.SnapshotCreateParams{WaitForCompletion: &wait},
		})
		if err != nil {
			return err
		}
		status, err := client.Snapshot.Status(ctx, api.SnapshotStatusReq{Repo: "repo", Snapshots: []string{"one"}})
		if err != nil {
			return err
		}
		_, err = client.Snapshot.Restore(ctx, api.SnapshotRestoreReq{
			Repo: "repo", Snapshot: "one", Body: body(`{"rename_pattern": "(.+)", "rename_replacement": "restored-$1"}`),
			Params: api.SnapshotRestoreParams{WaitForCompletion: &wait},
		})
		if err != nil {
			return err
		}
		count, err := client.Indices.Count(ctx, &api.IndicesCountReq{Indices: []string{"restored-books"}})
		if err != nil {
			return err
		}
		_, err = client.Snapshot.Delete(ctx, api.SnapshotDeleteReq{Repo: "repo", Snapshots: []string{"one"}})
		return first(
			err,
			same("state", created.Snapshot.State, "SUCCESS"),
			same("status", status.Snapshots[0].State, "SUCCESS"),
			same("restored", count.Count, documents),
		)
	})
}
