/** The official module for Node, and the one of this project, against the image that the argument names. */
import assert from "node:assert/strict";
import { OpenSearchContainer } from "@testcontainers/opensearch";
import { OrreryContainer } from "@orrery/testcontainers";

const [image] = process.argv.slice(2);

const official = await new OpenSearchContainer(image).withSecurityEnabled(false).start();
await use(official.getHttpUrl());
await official.stop();

const begun = performance.now();
const own = await new OrreryContainer(image).withSetting("cluster.name", "books").start();
process.stdout.write(
  `@orrery/testcontainers: started in ${Math.round(performance.now() - begun)} ms\n`,
);
assert.equal((await use(own.getUrl())).cluster_name, "books");
await own.stop();

async function use(url) {
  const headers = { "content-type": "application/json" };
  const made = await fetch(`${url}/books/_doc/1?refresh=true`, {
    method: "PUT",
    headers,
    body: '{"title":"Orrery"}',
  });
  assert.equal(made.status, 201);
  const found = await (await fetch(`${url}/books/_search?q=title:orrery`)).json();
  assert.equal(found.hits.total.value, 1);
  return (await fetch(url)).json();
}
