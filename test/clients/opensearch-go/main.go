// A shop's catalogue on the official Go client: its bulk indexer, searches, scrolls, points in time, exceptions, discovery, and
// administration with typed answers.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/opensearch-project/opensearch-go/v4"
	api "github.com/opensearch-project/opensearch-go/v4/opensearchapi"
	"github.com/opensearch-project/opensearch-go/v4/opensearchutil"
)

const (
	index     = "books"
	documents = 1200
)

var genres = []string{"history", "novel", "poetry", "travel"}

func main() {
	urls := strings.Split(os.Getenv("CLUSTER_URLS"), ",")
	client, err := api.NewClient(api.Config{Client: opensearch.Config{Addresses: urls}})
	if err != nil {
		panic(err)
	}
	t := &tap{}
	documentChecks(t, client, urls)
	administrationChecks(t, client, len(urls))
	t.run()
}

// Whether the error is the server's, with this status and type.
func isError(err error, status int, kind string) error {
	var answered *opensearch.StructError
	if !errors.As(err, &answered) {
		return fmt.Errorf("another error: %v", err)
	}
	return first(same("status", answered.Status, status), same("type", answered.Err.Type, kind))
}

func body(text string) *strings.Reader { return strings.NewReader(text) }

func documentChecks(t *tap, client *api.Client, urls []string) {
	ctx := context.Background()
	t.check("the product and the version", func() error {
		info, err := client.Info(ctx, nil)
		if err != nil {
			return err
		}
		return same("distribution", info.Version.Distribution, "opensearch")
	})
	t.check("an index with settings and mappings", func() error {
		created, err := client.Indices.Create(ctx, api.IndicesCreateReq{Index: index, Body: body(`{
			"settings": {"number_of_shards": 2, "number_of_replicas": 1},
			"mappings": {"properties": {"title": {"type": "text"}, "genre": {"type": "keyword"}, "price": {"type": "double"}}}
		}`)})
		if err != nil {
			return err
		}
		_, err = client.Indices.Create(ctx, api.IndicesCreateReq{Index: index})
		return first(same("acknowledged", created.Acknowledged, true), isError(err, 400, "resource_already_exists_exception"))
	})
	t.check("the bulk indexer, with a document that is rejected", func() error {
		var rejected atomic.Int64
		indexer, err := opensearchutil.NewBulkIndexer(opensearchutil.BulkIndexerConfig{
			Client: client, Index: index, NumWorkers: 3, FlushBytes: 20_000, Refresh: "wait_for",
		})
		if err != nil {
			return err
		}
		add := func(id, source string) error {
			return indexer.Add(ctx, opensearchutil.BulkIndexerItem{
				Action: "index", DocumentID: id, Body: body(source),
				OnFailure: func(_ context.Context, _ opensearchutil.BulkIndexerItem, item api.BulkRespItem, _ error) {
					if item.Status == 400 && item.Error.Type == "mapper_parsing_exception" {
						rejected.Add(1)
					}
				},
			})
		}
		for i := range documents {
			source := fmt.Sprintf(`{"title": "Volume %d", "genre": %q, "price": %d.5}`, i, genres[i%4], i%50)
			if err := add(fmt.Sprintf("b-%d", i), source); err != nil {
				return err
			}
		}
		if err := first(add("bad", `{"price": "much"}`), indexer.Close(ctx)); err != nil {
			return err
		}
		stats := indexer.Stats()
		return first(
			same("flushed", stats.NumFlushed, uint64(documents)),
			same("failed", stats.NumFailed, uint64(1)),
			same("rejected", rejected.Load(), int64(1)),
		)
	})
	t.check("a search with aggregations and highlights", func() error {
		found, err := client.Search(ctx, &api.SearchReq{Indices: []string{index}, Body: body(`{
			"size": 3,
			"query": {"bool": {"must": {"match": {"title": "volume"}}, "filter": {"term": {"genre": "poetry"}}}},
			"sort": [{"price": "desc"}],
			"highlight": {"fields": {"title": {}}},
			"aggs": {"genres": {"terms": {"field": "genre"}, "aggs": {"price": {"avg": {"field": "price"}}}}}
		}`)})
		if err != nil {
			return err
		}
		var aggregations struct {
			Genres struct {
				Buckets []struct {
					Key   string `json:"key"`
					Count int    `json:"doc_count"`
				} `json:"buckets"`
			} `json:"genres"`
		}
		if err := json.Unmarshal(found.Aggregations, &aggregations); err != nil {
			return err
		}
		highlight := found.Hits.Hits[0].Highlight["title"][0]
		return first(
			same("total", found.Hits.Total.Value, documents/4),
			same("hits", len(found.Hits.Hits), 3),
			same("bucket", aggregations.Genres.Buckets[0].Count, documents/4),
			same("highlight", strings.HasPrefix(highlight, "<em>Volume</em>"), true),
		)
	})
	t.check("scrolls", func() error {
		page, err := client.Search(ctx, &api.SearchReq{
			Indices: []string{index}, Body: body(`{"size": 500}`), Params: api.SearchParams{Scroll: time.Minute},
		})
		if err != nil {
			return err
		}
		seen, scroll, hits := 0, *page.ScrollID, len(page.Hits.Hits)
		for hits > 0 {
			seen += hits
			next, err := client.Scroll.Get(ctx, api.ScrollGetReq{ScrollID: scroll, Params: api.ScrollGetParams{Scroll: time.Minute}})
			if err != nil {
				return err
			}
			scroll, hits = *next.ScrollID, len(next.Hits.Hits)
		}
		cleared, err := client.Scroll.Delete(ctx, api.ScrollDeleteReq{ScrollIDs: []string{scroll}})
		if err != nil {
			return err
		}
		_, err = client.Scroll.Get(ctx, api.ScrollGetReq{ScrollID: scroll})
		return first(
			same("seen", seen, documents),
			same("succeeded", cleared.Succeeded, true),
			isError(err, 404, "search_phase_execution_exception"),
		)
	})
	t.check("a point in time", func() error {
		pit, err := client.PointInTime.Create(ctx, api.PointInTimeCreateReq{
			Indices: []string{index}, Params: api.PointInTimeCreateParams{KeepAlive: time.Minute},
		})
		if err != nil {
			return err
		}
		seen, after := 0, ""
		for {
			page, err := client.Search(ctx, &api.SearchReq{Body: body(fmt.Sprintf(
				`{"size": 500, "pit": {"id": %q, "keep_alive": "1m"}, "sort": [{"_id": "asc"}]%s}`, pit.PitID, after))})
			if err != nil {
				return err
			}
			if len(page.Hits.Hits) == 0 {
				break
			}
			seen += len(page.Hits.Hits)
			after = fmt.Sprintf(`, "search_after": [%q]`, page.Hits.Hits[len(page.Hits.Hits)-1].Sort[0])
		}
		all, err := client.PointInTime.Get(ctx, nil)
		if err != nil {
			return err
		}
		deleted, err := client.PointInTime.Delete(ctx, api.PointInTimeDeleteReq{PitID: []string{pit.PitID}})
		if err != nil {
			return err
		}
		return first(
			same("seen", seen, documents),
			same("points in time", len(all.Pits), 1),
			same("successful", deleted.Pits[0].Successful, true),
		)
	})
	t.check("writes that depend on a version", func() error {
		written, err := client.Index(ctx, api.IndexReq{Index: index, DocumentID: "v", Body: body(`{"title": "One"}`)})
		if err != nil {
			return err
		}
		at := api.IndexParams{IfSeqNo: &written.SeqNo, IfPrimaryTerm: &written.PrimaryTerm}
		if _, err := client.Index(ctx, api.IndexReq{Index: index, DocumentID: "v", Body: body(`{"title": "Two"}`), Params: at}); err != nil {
			return err
		}
		_, conflict := client.Index(ctx, api.IndexReq{Index: index, DocumentID: "v", Body: body(`{}`), Params: at})
		merged, err := client.Update(ctx, api.UpdateReq{Index: index, DocumentID: "v", Body: body(`{"doc": {"price": 2}}`), Params: api.UpdateParams{Source: true}})
		if err != nil {
			return err
		}
		got, err := client.Document.Get(ctx, api.DocumentGetReq{Index: index, DocumentID: "v"})
		if err != nil {
			return err
		}
		removed, err := client.Document.Delete(ctx, api.DocumentDeleteReq{Index: index, DocumentID: "v", Params: api.DocumentDeleteParams{Refresh: "true"}})
		if err != nil {
			return err
		}
		return first(
			same("result", written.Result, "created"),
			isError(conflict, http.StatusConflict, "version_conflict_engine_exception"),
			same("version", merged.Version, 3),
			same("source", string(got.Source), `{"title":"Two","price":2}`),
			same("result", removed.Result, "deleted"),
		)
	})
	t.check("many documents and many searches at once", func() error {
		many, err := client.MGet(ctx, api.MGetReq{Index: index, Body: body(`{"ids": ["b-1", "none"]}`)})
		if err != nil {
			return err
		}
		both, err := client.MSearch(ctx, api.MSearchReq{Indices: []string{index}, Body: body("{}\n{\"size\": 1}\n{\"index\": \"none\"}\n{}\n")})
		if err != nil {
			return err
		}
		return first(
			same("found", many.Docs[0].Found, true),
			same("found", many.Docs[1].Found, false),
			same("hits", len(both.Responses[0].Hits.Hits), 1),
			same("status", both.Responses[1].Status, 404),
		)
	})
	t.check("exceptions", func() error {
		_, missing := client.Search(ctx, &api.SearchReq{Indices: []string{"none"}})
		_, unparsed := client.Search(ctx, &api.SearchReq{Indices: []string{index}, Body: body(`{"query": {"nonsense": {}}}`)})
		nobody, err := api.NewClient(api.Config{Client: opensearch.Config{Addresses: []string{"http://127.0.0.1:9"}, DisableRetry: true}})
		if err != nil {
			return err
		}
		_, refused := nobody.Info(ctx, nil)
		return first(
			isError(missing, 404, "index_not_found_exception"),
			isError(unparsed, 400, "parsing_exception"),
			same("refused", refused != nil, true),
		)
	})
	t.check("discovery finds every node at its address", func() error {
		found, err := api.NewClient(api.Config{Client: opensearch.Config{Addresses: urls[:1]}})
		if err != nil {
			return err
		}
		if err := found.Client.DiscoverNodes(ctx); err != nil {
			return err
		}
		for range 6 {
			if _, err := found.Indices.Count(ctx, &api.IndicesCountReq{Indices: []string{index}}); err != nil {
				return err
			}
		}
		return nil
	})
}
