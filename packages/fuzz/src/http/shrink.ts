/**
 * Smaller requests that may show the same finding: without headers, parameters, parts of the body; with shorter texts.
 */
import type { Json } from "@orrery/stdx";
import { readTree, writeTree } from "../json/json-text.ts";
import { changeAt, pathsOf } from "../json/mutate-json.ts";
import { bytesOf, sizeOf, type HttpCase, type Piece } from "./request.ts";

/** Limit of the changes tried for one tree or text; more follow in the next round. */
const MOST_CHANGES = 120;

export function* shrinkRequest(given: HttpCase): Iterable<HttpCase> {
  if (given.wire !== undefined) {
    const { wire, ...plain } = given;
    yield plain;
    if (wire.count > 1) yield { ...plain, wire: { ...wire, count: Math.ceil(wire.count / 2) } };
  }
  if (given.body.length > 0) yield { ...given, body: [], headers: {} };
  for (const name of Object.keys(given.headers)) {
    const { [name]: _, ...headers } = given.headers;
    yield { ...given, headers };
  }
  yield* smallerUris(given);
  for (const body of smallerBodies(given.body)) yield { ...given, body };
}

function* smallerUris(given: HttpCase): Iterable<HttpCase> {
  const at = given.uri.indexOf("?");
  const path = at < 0 ? given.uri : given.uri.slice(0, at);
  const parameters = at < 0 ? [] : given.uri.slice(at + 1).split("&");
  if (at >= 0) yield { ...given, uri: path };
  const withParameters = (all: readonly string[]): HttpCase => ({
    ...given,
    uri: all.length === 0 ? path : `${path}?${all.join("&")}`,
  });
  if (parameters.length > 1) {
    for (const i of parameters.keys()) yield withParameters(parameters.filter((_, j) => j !== i));
  }
  for (const [i, parameter] of parameters.entries()) {
    const [name = "", value = ""] = parameter.split("=", 2);
    if (value.length < 8) continue;
    const half = `${name}=${value.slice(0, value.length / 2)}`;
    yield withParameters([...parameters.slice(0, i), half, ...parameters.slice(i + 1)]);
  }
}

function* smallerBodies(body: readonly Piece[]): Iterable<readonly Piece[]> {
  for (const [i, piece] of body.entries()) {
    const replaced = (...by: Piece[]): readonly Piece[] => [
      ...body.slice(0, i),
      ...by,
      ...body.slice(i + 1),
    ];
    if (body.length > 1) yield replaced();
    if (typeof piece === "string") continue;
    if ("times" in piece && piece.times > 1)
      yield replaced({ ...piece, times: Math.floor(piece.times / 2) });
    if ("hex" in piece && piece.hex.length > 2) {
      yield replaced({ hex: piece.hex.slice(0, 2 * Math.floor(piece.hex.length / 4)) });
    }
  }
  const isText = body.every((piece) => typeof piece === "string");
  if (!isText || sizeOf(body) > 200_000) return;
  for (const text of smallerTexts(Buffer.from(bytesOf(body, new Map())).toString())) yield [text];
}

function* smallerTexts(text: string): Iterable<string> {
  const lines = text.split("\n");
  const tree = readTree(text);
  if (tree !== undefined) {
    for (const smaller of smallerTrees(tree)) {
      const written = writeTree(smaller);
      if (written.length < text.length) yield written;
    }
  } else if (lines.length > 2) {
    for (const i of lines.keys()) yield lines.filter((_, j) => j !== i).join("\n");
    for (const [i, line] of lines.entries()) {
      const inner = readTree(line);
      if (inner === undefined) continue;
      for (const smaller of smallerTrees(inner)) {
        const written = writeTree(smaller);
        if (written.length < line.length)
          yield [...lines.slice(0, i), written, ...lines.slice(i + 1)].join("\n");
      }
    }
  } else {
    for (let size = Math.floor(text.length / 2); size >= 1; size = Math.floor(size / 2)) {
      yield text.slice(0, text.length - size);
      yield text.slice(size);
    }
  }
}

function* smallerTrees(tree: Json): Iterable<Json> {
  const paths = pathsOf(tree, MOST_CHANGES).slice(1);
  for (const path of paths) yield changeAt(tree, path, () => undefined);
  for (const path of paths) {
    yield changeAt(tree, path, (value) => {
      if (typeof value === "string") return value.slice(0, value.length / 2);
      if (typeof value !== "object" || value === null) return value;
      const [first] = Object.values(value) as (Json | undefined)[];
      return first ?? value;
    });
  }
}
