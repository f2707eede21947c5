/**
 * `npm run image -- [--check] [--modules] [--output FILE]`: builds the image from the Dockerfile on a machine without a container
 * engine. `--check` starts it, `--modules` runs the official modules of testcontainers against it, `--output` writes an archive
 * for `docker load`. The last line of standard output is JSON with the sizes and times. Needs Linux, root, and Debian's programs buildah and debootstrap, which are installed if they are missing.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildImage, exportImage, withStore } from "./image/build.mjs";
import { inNamespace } from "./image/container.mjs";
import { installModules } from "./image/modules.mjs";
import { needTools, output, say, Unavailable } from "./image/tools.mjs";
import { install } from "./prepare.mjs";

const values = optionsOf(process.argv.slice(2));

try {
  needTools();
  install();
  await withStore(async (store) => {
    const begun = performance.now();
    const image = buildImage(store);
    const [baseBytes, imageBytes] = [image.base, image.image].map(bytesIn);
    const sizes = {
      base_bytes: baseBytes,
      image_bytes: imageBytes,
      beyond_base_bytes: imageBytes - baseBytes,
    };
    const buildMs = Math.round(performance.now() - begun);
    if (values.output !== undefined) exportImage(store, resolve(values.output));
    const checked = values.check === true ? await inside("check", store, image) : {};
    const modules = values.modules === true ? { modules: await runModules(store, image) } : {};
    console.log(
      JSON.stringify({ event: "image", ...sizes, build_ms: buildMs, ...checked, ...modules }),
    );
  });
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  say(`cannot be made here: ${error.message}`);
  console.log(JSON.stringify({ event: "unavailable", reason: error.message }));
  process.exitCode = 1;
}

async function runModules(store, image) {
  const { ready, skipped } = installModules(store.folder);
  return { ...(await inside("modules", store, { ...image, ready })), skipped };
}

/** Runs a program of `image/` where the containers are; it reads a description of the image from a file, and writes its result. */
async function inside(program, store, described) {
  const [file, result] = ["image.json", "result.json"].map((name) => join(store.folder, name));
  writeFileSync(file, JSON.stringify({ ...described, folder: store.folder }));
  const code = await inNamespace(join(import.meta.dirname, `image/${program}.mjs`), [file, result]);
  if (code !== 0)
    throw new Error(`the image does not do what it must: [${program}] ended with ${code}`);
  return JSON.parse(readFileSync(result, "utf8"));
}

/** Bytes of a file system, each file counted once. */
function bytesIn(folder) {
  return Number(
    output("du", ["--summarize", "--apparent-size", "--block-size=1", folder]).split("\t")[0],
  );
}

function optionsOf(args) {
  const boolean = { type: "boolean" };
  const options = { check: boolean, modules: boolean, output: { type: "string" } };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    console.error(
      `${error.message}\nexpected [npm run image -- [--check] [--modules] [--output FILE]]`,
    );
    return process.exit(2);
  }
}
