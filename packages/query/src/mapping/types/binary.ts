/**
 * `binary`: Base64 in the source, with bytes as doc values if `doc_values` is set. The field cannot
 * be searched. Source: `BinaryFieldMapper`.
 */
import { base64ToBytes } from "@orrery/stdx";
import type { FieldType } from "../../language/field-type.ts";
import { flag, meta } from "../parameters.ts";
import { presentText, stringOf } from "./text.ts";

/** The field type `binary`. */
export const binaryType: FieldType = {
  parameters: { meta, store: flag(false), doc_values: flag(false) },
  compile: ({ name, parameters }) => {
    const hasDocValues = parameters["doc_values"] === true;
    const spec = {
      name,
      type: "binary",
      index: "none",
      norms: false,
      docValues: hasDocValues,
      points: false,
    } as const;
    return {
      spec,
      values: { kind: "binary" },
      index: (value, sink) => {
        const text = stringOf(value, sink);
        if (hasDocValues) sink.add(spec, base64ToBytes(text) ?? new Uint8Array(0));
      },
      present: presentText,
      isIndexed: false,
      hasDocValues,
    };
  },
};
