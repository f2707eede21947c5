/**
 * Writes what the image adds to its base into a folder, as it lies there: the program, its native parts, and the Node that npm
 * brought. Run by the Dockerfile: `node docker/assemble.mjs DIR`.
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const [target] = process.argv.slice(2);
if (target === undefined) {
  console.error("expected [node docker/assemble.mjs DIR]");
  process.exit(2);
}
const home = "usr/share/opensearch";
const modules = `${home}/lib/node_modules`;
const platform = `linux-${process.arch}`;

put(`node_modules/node-${platform}/bin/node`, "usr/local/bin/node");
put("docker/orrery", "usr/local/bin/orrery");
put("packages/cli/bin", `${modules}/@orrery/cli/bin`);
put("packages/cli/dist/bundle", `${modules}/@orrery/cli/dist/bundle`);
put("node_modules/better-sqlite3/package.json", `${modules}/better-sqlite3/package.json`);
put("node_modules/better-sqlite3/LICENSE", `${modules}/better-sqlite3/LICENSE`);
put("node_modules/better-sqlite3/lib", `${modules}/better-sqlite3/lib`);
put(
  `node_modules/better-sqlite3/prebuilds/${platform}.node`,
  `${modules}/better-sqlite3/prebuilds/${platform}.node`,
);
put("docker/opensearch", `${home}/bin/opensearch`);
put("docker/opensearch-healthcheck", `${home}/bin/opensearch-healthcheck`);
put("docker/opensearch-docker-entrypoint.sh", `${home}/opensearch-docker-entrypoint.sh`);
put("docker/opensearch.yml", `${home}/config/opensearch.yml`);
put("LICENSE", `${home}/LICENSE`);
for (const program of [
  ...["usr/local/bin/node", "usr/local/bin/orrery", `${home}/opensearch-docker-entrypoint.sh`],
  ...[`${home}/bin/opensearch`, `${home}/bin/opensearch-healthcheck`],
])
  chmodSync(join(target, program), 0o755);

const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const manifest = { name: "@orrery/cli", version, license, type: "module" };
writeFileSync(
  join(target, modules, "@orrery/cli/package.json"),
  `${JSON.stringify(manifest, undefined, 2)}\n`,
);

function put(source, destination) {
  const path = join(target, destination);
  mkdirSync(dirname(path), { recursive: true });
  cpSync(join(root, source), path, { recursive: true });
}
