"""The official module for Python against the image that the argument names."""

import sys

from testcontainers.community.opensearch import OpenSearchContainer

with OpenSearchContainer(sys.argv[1]) as opensearch:
    client = opensearch.get_client()
    client.index(index="books", id="1", body={"title": "Orrery"}, refresh=True)
    found = client.search(index="books", body={"query": {"match": {"title": "orrery"}}})
    assert found["hits"]["total"]["value"] == 1, found
