/** The glossary's forbidden words: one thing has one name, and the names of the wire stay on the wire. */
import { expect, test } from "vitest";
import { filesBelow, read } from "./repository.ts";

interface Word {
  readonly word: RegExp;
  readonly instead: string;
  /** Spellings that clients and settings use. */
  readonly wireNames?: RegExp;
  /** Files where the word is the right one. */
  readonly files?: RegExp;
}

const words: readonly Word[] = [
  {
    word: /master/i,
    instead: "cluster manager",
    wireNames:
      /discovered_master|_cat\/master|cat\.master|[a-z_]*master_(timeout|node|nodes|block)\w*|"_?master(:true|:false)?"|"master"|is_master|master: withRole|m:master eligible node|"node\.master"|cm,m,master/g,
  },
  { word: /slave/i, instead: "replica" },
  {
    word: /leader|follower/i,
    instead: "elected cluster manager, primary",
    wireNames:
      /(leader|follower)s?[-_ ]?(check|lag)\w*|(leader|follower)_(index|alias)|ConfigurationFollower/gi,
    // Raft itself and what drives it; the product's names of fault detection and of cross-cluster replication.
    files:
      /^packages\/(raft|plugin-cross-cluster-replication)\/|^packages\/cluster-manager\/src\/(handlers|consensus.*|raft.*|priorities|follow-.*)\.ts$/,
  },
  {
    word: /epoch/i,
    instead: "term, primaryTerm; or milliseconds since 1970",
    wireNames: /epoch_(millis|seconds?|micros)/g,
    files: /^packages\/(query\/src\/(dates|mapping)|rest\/src\/(operations\/cat\.|cat\/))/,
  },
  { word: /\bWAL\b/, instead: "translog", files: /^packages\/storage\// },
  { word: /\bLSN\b/, instead: "seqNo" },
  { word: /\bISR\b/, instead: "in-sync allocation ids" },
  { word: /\bSST\b/, instead: "segment" },
  { word: /nemesis|chaos/i, instead: "fault" },
];

test.each(words.map((row) => [row.word.source, row] as const))("nobody says %s", (_, row) => {
  const uses = filesBelow("packages", ".ts")
    .filter((file) => /^packages\/[^/]+\/src\//.test(file) && row.files?.test(file) !== true)
    .flatMap((file) =>
      read(file)
        .split("\n")
        .flatMap((line, i) => {
          const ours = row.wireNames === undefined ? line : line.replaceAll(row.wireNames, "");
          return row.word.test(ours) ? [`${file}:${i + 1}: ${line.trim()}`] : [];
        }),
    );
  expect(uses, `say ${row.instead}`).toEqual([]);
});
