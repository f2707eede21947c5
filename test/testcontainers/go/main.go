// The official module for Go against the image that the argument names.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/modules/opensearch"
)

func main() {
	ctx := context.Background()
	container, err := opensearch.Run(ctx, os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	address, err := container.Address(ctx)
	if err != nil {
		log.Fatal(err)
	}
	request, _ := http.NewRequest(http.MethodPut, address+"/books/_doc/1?refresh=true", strings.NewReader(`{"title":"Orrery"}`))
	request.Header.Set("Content-Type", "application/json")
	if response, err := http.DefaultClient.Do(request); err != nil || response.StatusCode != http.StatusCreated {
		log.Fatal("no document was made: ", err)
	}
	response, err := http.Get(address + "/books/_search?q=title:orrery")
	if err != nil {
		log.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	if !strings.Contains(string(body), `"total":{"value":1,`) {
		log.Fatal(string(body))
	}
	if err := testcontainers.TerminateContainer(container); err != nil {
		log.Fatal(err)
	}
	fmt.Println("done")
}
