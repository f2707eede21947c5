/** `release`: terms that sort as releases do, `1.9.0` before `1.10.0`. */
import { presentText, stringOf, textOf, type FieldType } from "@orrery/query/extension";
import { decodeRelease, encodeRelease } from "./release.ts";

export const releaseType: FieldType = {
  parameters: {},
  sortsAs: "text",
  compile: ({ name }) => {
    const kept = { index: "docs", norms: false, docValues: true, points: false } as const;
    const spec = { name, type: "keyword", ...kept } as const;
    return {
      spec,
      values: {
        kind: "terms",
        isBinary: true,
        encode: (value) => encodeRelease(textOf(value)),
        decode: decodeRelease,
      },
      index: (value, sink) => sink.add(spec, encodeRelease(stringOf(value, sink))),
      present: presentText,
      hasConstantTermScore: true,
      isIndexed: true,
      hasDocValues: true,
    };
  },
};
