/**
 * The folder `../shared`, which has recorded answers of the product, public descriptions and public data. It is not part of the
 * repository: tests that read it are skipped where it is absent.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./prepare.mjs";

const SHARED = "../../shared";

/** What is not judged without the folder, as text for a terminal; `undefined` where the folder is there. */
export function notJudged() {
  if (existsSync(join(root, "../shared"))) return undefined;
  return [
    "Not judged, since the folder ../shared with recorded answers and public suites is absent:",
    ...readersOfShared().map((file) => `  ${file}`),
  ].join("\n");
}

/** Test files that read the folder beside the repository, by themselves or by a helper next to them. */
export function readersOfShared() {
  const files = ["packages", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((file) => join(folder, file))
      .filter((file) => file.endsWith(".ts") && /(^|\/)test\//.test(file)),
  );
  const texts = new Map(
    files
      .filter((file) => !file.includes("node_modules"))
      .map((file) => [file, readFileSync(join(root, file), "utf8")]),
  );
  const direct = new Set([...texts].filter(([, text]) => text.includes(SHARED)).map(([f]) => f));
  const imports = (file, text) =>
    [...text.matchAll(/from "(\.[^"]+)"/g)].some(([, to]) => direct.has(join(dirname(file), to)));
  return [...texts]
    .filter(([file, text]) => direct.has(file) || imports(file, text))
    .map(([file]) => file)
    .filter((file) => file.endsWith(".test.ts"));
}
