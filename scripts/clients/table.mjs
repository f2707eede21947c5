/**
 * The clients, in the order in which they run. A client is added with a folder in `test/clients` and a row here; its program writes TAP
 * and finds the cluster in CLUSTER_URLS, CLUSTER_PIDS (of a cluster of its own) and CLUSTER_REPO.
 */
import { delimiter, join } from "node:path";
import { newerNode, root } from "../prepare.mjs";

const node = newerNode();
const npmInstall = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
const isWindows = process.platform === "win32";
const python = join("venv", isWindows ? "Scripts/python" : "bin/python");

const goSuite = ["opensearchapi", "opensearchutil"].map(
  (name) => `github.com/opensearch-project/opensearch-go/v4/${name}`,
);

export const clients = [
  recorded("dashboards"),
  recorded("elasticvue"),
  recorded("fluent-bit"),
  recorded("logstash"),
  recorded("vector"),
  {
    name: "opensearch-js",
    tools: ["npm"],
    packages: ["package.json"],
    install: [npmInstall],
    run: [node, "--test-reporter=tap", "main.mjs"],
  },
  {
    name: "elasticdump",
    tools: ["npm"],
    packages: ["package.json"],
    install: [npmInstall],
    run: [node, "--test-reporter=tap", "main.mjs"],
  },
  {
    name: "opensearch-py",
    tools: ["python3"],
    packages: ["requirements.txt"],
    install: [
      ["python3", "-m", "venv", "venv"],
      [python, "-m", "pip", "install", "--quiet", "--requirement", "requirements.txt"],
    ],
    run: [python, "main.py"],
  },
  {
    name: "opensearch-java",
    tools: ["java", "javac", "mvn"],
    packages: ["pom.xml"],
    install: [["mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib"]],
    compile: [["javac", "-sourcepath", ".", "-cp", join("lib", "*"), "-d", "classes", "Main.java"]],
    run: ["java", "-cp", `classes${delimiter}${join("lib", "*")}`, "Main"],
  },
  {
    name: "opensearch-go",
    tools: ["go"],
    packages: ["go.mod", "go.sum"],
    install: [["go", "mod", "download"]],
    compile: [["go", "build", "-o", "client", "."]],
    run: ["./client"],
  },
  {
    name: "opensearch-go-suite",
    tools: ["go"],
    packages: ["go.mod", "go.sum"],
    install: [["go", "mod", "download"]],
    compile: [["go", "test", "-c", "-tags", "integration,core", "-o", ".", ...goSuite]],
    run: [node, "run.mjs"],
  },
  // Its registry and SDK are not to be had where the others were written, so that its flow waits for a machine that has them.
  { name: "opensearch-net", missing: "no flow is written for .NET yet" },
  {
    name: "opensearch-rs",
    tools: ["cargo"],
    packages: ["Cargo.toml", "Cargo.lock"],
    install: [["cargo", "fetch", "--locked", "--quiet"]],
    compile: [["cargo", "build", "--locked", "--offline", "--quiet"]],
    run: [join("target", "debug", "client-opensearch-rs")],
  },
];

/** A client whose requests are written down: no package to install, no toolchain. */
function recorded(name) {
  const file = join(root, "test/clients", name, "calls.yaml");
  const player = join(root, "scripts/clients/recorded-calls.mjs");
  return { name, tools: [], packages: [], install: [], run: [node, player, file] };
}
