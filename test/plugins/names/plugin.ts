/** A sample plugin for names: a sort that counts, a suggester that completes, and a rescorer. */
import type { Plugin } from "@orrery/node";
import { parseBeginning } from "./completion.ts";
import { naturalSort } from "./natural-sort.ts";
import { parseTimes } from "./rescorer.ts";

const name = "opensearch-names";

export const names: Plugin = {
  name,
  description: "Names: sort [_natural], suggester [beginning], rescorer [times]",
  classname: "org.orrery.names.NamesPlugin",
  shards: {
    name,
    language: {
      sorts: { _natural: naturalSort },
      suggesters: { beginning: parseBeginning },
      rescorers: { times: parseTimes },
    },
  },
};
