/**
 * Generates the codec of every file in `proto`, here and in packages: static JavaScript and its types, the same bytes on each run.
 * A message `Hello` becomes `export const Hello` with `encode` and `decode`, and an interface of the same name.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "..");
const protobuf = createRequire(join(root, "packages/stdx/package.json"))("protobufjs");

const MESSAGE = 'import type { Message } from "@orrery/stdx/codec";\n';

const SCALARS = { string: "string", bytes: "Uint8Array", bool: "boolean" };

for (const { file, owner } of sources()) {
  const name = basename(file, ".proto");
  const target = join(root, "packages", owner, "generated");
  mkdirSync(target, { recursive: true });
  const source = join(root, file);
  const messages = messagesOf(protobuf.loadSync(source)).filter(
    ({ filename }) => filename === source,
  );
  const imports = [...readFileSync(source, "utf8").matchAll(/^import "(.*)\.proto";$/gm)].map(
    ([, imported]) => imported,
  );
  const js = join(target, `${name}.js`);
  // Messages of imported files are those of their own module, found by the root that all modules share.
  pbjs("-r", "orrery", "-o", js, source);
  const body = readFileSync(js, "utf8")
    .replace(/^\/\*eslint.*\n/, "")
    .replace(
      'import $protobuf from "protobufjs/minimal.js"',
      'import { codec, protobuf as $protobuf } from "@orrery/stdx/codec"',
    )
    .replace(
      'import $protobuf from "protobufjs/minimal"',
      'import { codec, protobuf as $protobuf } from "@orrery/stdx/codec"',
    )
    .replace("export const orrery", "const orrery")
    .replace("const orrery = {};", "const orrery = $root.orrery || {};")
    .replace("export { $root as default };", "")
    .trimEnd();
  const own = imports.reduce(withoutNamespace, body);
  const loads = imports.map((imported) => `import "./${imported}.js";\n`).join("");
  const exported = messages.map(
    (type) => `export const ${type.name} = codec("${type.name}", ${type.fullName.slice(1)});`,
  );
  writeFileSync(js, `/** Generated from ${file}. */\n${loads}${own}\n\n${exported.join("\n")}\n`);
  const types = messages.map(typeText).join("\n");
  const imported = importsOf(messages, imports);
  writeFileSync(
    join(target, `${name}.d.ts`),
    `/** Generated from ${file}. */\n${imported}${MESSAGE}\n${types}`,
  );
}

/** Without the codecs of a namespace, which has the name of its file. */
function withoutNamespace(js, name) {
  const start = js.indexOf(`\n    orrery.${name} = (function() {`);
  if (start < 0) throw new Error(`no namespace [${name}] in what was generated`);
  const end = "\n    })();\n";
  return js.slice(0, start) + js.slice(js.indexOf(end, start) + end.length);
}

/** The types of other files that fields of these messages have. */
function importsOf(messages, files) {
  const used = messages.flatMap(({ fieldsArray }) =>
    fieldsArray.map((field) => field.resolvedType),
  );
  return files
    .map((file) => {
      const types = used.filter((type) => type !== null && type.parent.name === file);
      const names = [...new Set(types.map(({ name }) => name))];
      return names.length === 0 ? "" : `import type { ${names.join(", ")} } from "./${file}.js";\n`;
    })
    .join("");
}

/** Those of the core, and of each package that has its own. */
function sources() {
  const ofCore = protosIn("proto").map((file) => ({
    file,
    owner: file === "proto/transport.proto" ? "transport-grpc" : "protocol",
  }));
  const ofPackages = readdirSync(join(root, "packages")).flatMap((owner) =>
    protosIn(`packages/${owner}/proto`).map((file) => ({ file, owner })),
  );
  return [...ofCore, ...ofPackages];
}

function protosIn(folder) {
  if (!existsSync(join(root, folder))) return [];
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".proto"));
  return names.toSorted().map((name) => `${folder}/${name}`);
}

function messagesOf(namespace) {
  const nested = namespace.nestedArray.flatMap((child) => {
    if (child instanceof protobuf.Type) return [child, ...messagesOf(child)];
    return child instanceof protobuf.Namespace ? messagesOf(child) : [];
  });
  for (const type of nested) type.fieldsArray.forEach((field) => field.resolve());
  return nested;
}

function typeText(type) {
  const fields = type.fieldsArray.map((field) => {
    const base = field.resolvedType?.name ?? SCALARS[field.type] ?? "number";
    if (field.repeated) return `  readonly ${field.name}: readonly ${base}[];`;
    const canBeMissing = field.resolvedType !== null || field.options?.proto3_optional === true;
    return `  readonly ${field.name}: ${base}${canBeMissing ? " | null" : ""};`;
  });
  return `export interface ${type.name} {\n${fields.join("\n")}\n}\nexport const ${type.name}: Message<${type.name}>;\n`;
}

function pbjs(...args) {
  const flags = [
    "-t",
    "static-module",
    "-w",
    "es6",
    "--es6",
    "--no-comments",
    "--no-create",
    "--no-verify",
    "--no-convert",
    "--no-delimited",
    "--no-typeurl",
    "--no-service",
    "--force-number",
  ];
  const command = join(root, "node_modules/.bin/pbjs");
  const { status, stderr } = spawnSync(process.execPath, [command, ...flags, ...args], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`pbjs ${args.join(" ")}: ${stderr}`);
}
