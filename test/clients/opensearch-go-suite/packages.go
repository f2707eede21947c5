// Package suite names the packages of the client whose own integration tests are compiled.
package suite

import (
	_ "github.com/opensearch-project/opensearch-go/v4/opensearchapi"
	_ "github.com/opensearch-project/opensearch-go/v4/opensearchutil"
)
