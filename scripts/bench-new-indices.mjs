/**
 * New indices one after another on three gRPC processes: written through any node, refreshed, and searched while their replicas are still
 * made. Counts searches that miss a document which was acknowledged before the refresh.
 */
const DOCUMENTS = 6;
const SEARCHES = 12;

/** `up` starts a cluster; `rounds`: so many indices. */
export async function newIndices({ up, rounds }) {
  const cluster = await up("--http-port", "29800");
  const urls = cluster.nodes.map(({ http }) => http);
  const any = () => urls[Math.floor(Math.random() * urls.length)];
  const startedAt = performance.now();
  let missed = 0;
  for (let round = 0; round < rounds; round += 1) {
    const index = `new-${round}`;
    const settings = {
      number_of_shards: 1 + (round % 3),
      number_of_replicas: 1 + (round % 2),
      "index.refresh_interval": "30s",
    };
    await ask(any(), "PUT", `/${index}?wait_for_active_shards=1`, { settings });
    for (let id = 0; id < DOCUMENTS; id += 1) {
      await ask(any(), "PUT", `/${index}/_doc/${id}`, { n: id });
      if (id === DOCUMENTS >> 1) await sleep(Math.random() * 60);
    }
    await ask(any(), "POST", `/${index}/_refresh`);
    for (let search = 0; search < SEARCHES; search += 1) {
      const url = urls[search % urls.length];
      const { hits } = await ask(url, "POST", `/${index}/_search`, { track_total_hits: true });
      if (hits.total.value !== DOCUMENTS) missed += 1;
      if (search % 4 === 3) await sleep(30);
    }
    await ask(any(), "DELETE", `/${index}`);
  }
  await cluster.stop();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(
    `new indices: ${missed} of ${rounds * SEARCHES} searches missed a document (${rounds} indices on three gRPC processes, ${seconds} s)   npm run bench -- new-indices`,
  );
  if (missed > 0) process.exitCode = 1;
}

async function ask(url, method, path, body) {
  const headers = { "content-type": "application/json" };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}${path}`, { method, ...sent });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
