import { readFileSync } from "node:fs";
import { test, expect } from "vitest";
import { createAnalysis } from "../src/index.ts";
test("lucene", () => {
  const a = createAnalysis({});
  const hex = (s: string) =>
    [...Array(s.length)].map((_, i) => s.charCodeAt(i).toString(16).padStart(4, "0")).join("");
  const un = (h: string) => {
    let s = "";
    for (let i = 0; i < h.length; i += 4) s += String.fromCharCode(parseInt(h.slice(i, i + 4), 16));
    return s;
  };
  const exp = readFileSync("/tmp/seg/tokens.txt", "utf8").split("\n");
  const texts = readFileSync("/tmp/seg/texts.txt", "utf8").trimEnd().split("\n");
  let bad = 0,
    k = 0;
  const per: Record<string, number> = {};
  for (const line of texts) {
    const t = un(line);
    for (const name of ["standard", "english", "simple", "whitespace", "stop", "keyword"]) {
      const an = a.analyzer(name);
      let pos = -1;
      let out = "";
      const trailing = an.visit(t, (x) => {
        pos += x.positionIncrement;
        out += `${hex(x.term)},${pos},${x.startOffset},${x.endOffset},${x.type} `;
      });
      out += `end ${trailing} ${t.length}`;
      if (out !== exp[k]) {
        bad++;
        per[name] = (per[name] ?? 0) + 1;
        if ((per[name] ?? 0) < 5) console.log(name, JSON.stringify(t), "\n ", out, "\n ", exp[k]);
      }
      k++;
      // bytes
      const sink = {
        bytes: new Uint8Array(4096),
        list: [] as string[],
        term(l: number, h: number, p: number, s: number, e: number) {
          this.list.push(new TextDecoder().decode(this.bytes.slice(0, l)) + `,${p},${s},${e}`);
        },
        immense() {},
      };
      const list: string[] = [];
      const tr2 = an.visit(t, (x) => {
        list.push(
          x.term.replace(
            /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
            "\ufffd",
          ) + `,${x.positionIncrement},${x.startOffset},${x.endOffset}`,
        );
      });
      const tr = an.visitBytes(t, sink);
      if (tr !== tr2 || JSON.stringify(list) !== JSON.stringify(sink.list)) {
        per["b" + name] = (per["b" + name] ?? 0) + 1;
        if ((per["b" + name] ?? 0) < 5)
          console.log("bytes", name, JSON.stringify(t), list, sink.list);
      }
    }
  }
  console.log(per);
  expect(bad).toBe(0);
});
