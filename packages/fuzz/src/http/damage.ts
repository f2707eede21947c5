/** Bodies that are damaged below JSON: truncated, doubled, in another encoding, in a binary format, very large. */
import { gzipSync } from "node:zlib";
import type { Random } from "@orrery/stdx";
import { nastyText } from "../json/nasty.ts";
import { bytesOf, type HttpCase, type Piece } from "./request.ts";

export function damageBytes(random: Random, request: HttpCase): HttpCase {
  const text = Buffer.from(bytesOf(request.body, new Map())).toString();
  const headers = { "content-type": "application/json", ...request.headers };
  const to = (body: readonly Piece[], more: Record<string, string> = {}): HttpCase => ({
    ...request,
    headers: { ...headers, ...more },
    body,
  });
  const at = random.int(0, Math.max(0, text.length - 1));
  const hex = (bytes: Uint8Array): Piece => ({ hex: Buffer.from(bytes).toString("hex") });
  switch (random.int(0, 16)) {
    case 0:
      return to([text.slice(0, at)]);
    case 1:
      return to([text, text]);
    case 2:
      return to([
        text.slice(0, at),
        random.pick(["{", "}", "[", "]", '"', ",", ":", "\\", "\u0000", "/*", "\n", "//"]),
        text.slice(at),
      ]);
    case 3:
      return to([text.slice(0, at), hex(random.bytes(random.int(1, 8))), text.slice(at)]);
    case 4:
      return to([
        text.slice(0, at),
        { hex: random.pick(["ff", "c080", "eda080", "f5808080", "e2", "00"]) },
        text.slice(at),
      ]);
    case 5:
      return to([{ hex: "efbbbf" }, text]);
    case 6:
      return to([hex(Buffer.from(text, "utf16le"))]);
    case 7:
      return to([hex(gzipSync(text))], {
        "content-encoding": random.pick(["gzip", "deflate", "br", "x", "gzip, gzip"]),
      });
    case 8:
      return to(
        [
          {
            hex: random.pick([
              "a16161f5",
              "bfff",
              "3a290a01",
              "9f",
              "5bffffffffffffffff",
              "d9d9f7a0",
            ]),
          },
        ],
        {
          "content-type": random.pick([
            "application/cbor",
            "application/smile",
            "application/json",
          ]),
        },
      );
    case 9:
      return to([yamlText(random)], { "content-type": "application/yaml" });
    case 10:
      return to([
        {
          times: random.pick([1000, 20_000, 100_000]),
          text: random.pick(["[", '{"a":', "(", " "]),
        },
      ]);
    case 11:
      return to([
        '{"a":"',
        {
          times: random.pick([10_000, 100_000, 1_000_000]),
          text: random.pick(["a", "é", "\\u0000", "\\"]),
        },
        '"}',
      ]);
    case 12:
      return to(["{", { times: random.pick([100, 2000]), text: '"a":1,' }, '"a":2}']);
    case 13:
      return to([
        `{"query":{"query_string":{"query":"`,
        {
          times: random.pick([500, 20_000]),
          text: random.pick(["(", "a OR ", "NOT ", "+", "a:(", "[", "a~ "]),
        },
        `"}}}`,
      ]);
    case 14:
      return to([text.replace("{", `{${JSON.stringify(nastyText(random).slice(0, 100))}:`)]);
    case 15:
      // Two empty lines of `_msearch` are a search of everything.
      return to([{ times: random.int(1, 200), text: "\n" }]);
    default:
      return to([hex(random.bytes(random.int(1, 64)))]);
  }
}

function yamlText(random: Random): string {
  return random.pick([
    "a: &a [*a]",
    "a: &a {b: *a}",
    "query: {match_all: {}}",
    "? [a]\n: b",
    "a: !!binary gIGC",
    "a: !!js/function 'x'",
    "--- a\n--- b",
    "a: 1\na: 2",
    "<<: {a: 1}",
    "- ".repeat(500),
    "a: 1e400\nb: .nan\nc: .inf\nd: 0o7\ne: 0x1f\nf: 2020-01-01",
    "x: &x [a,a,a,a,a,a,a,a,a]\ny: &y [*x,*x,*x,*x,*x,*x,*x,*x,*x]\nz: &z [*y,*y,*y,*y,*y,*y,*y,*y,*y]\nw: [*z,*z,*z,*z,*z,*z,*z,*z,*z]",
    "__proto__: {a: 1}",
    "\t",
    "%YAML 9.9\n---\na",
    "{",
    "a: |\n  b\n c",
  ]);
}
