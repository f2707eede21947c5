/** Target: invalid and unusual HTTP requests. */
import { socketTransports } from "@orrery/scenario";
import { generateRequest } from "../http/generate.ts";
import { openLive } from "../http/live.ts";
import { describeRequest, type HttpCase } from "../http/request.ts";
import { shrinkRequest } from "../http/shrink.ts";
import { openSimulated } from "../http/simulated.ts";
import { defineTarget, type Target } from "../target.ts";

export const http: Target = defineTarget<HttpCase>({
  worlds: ["sim", ...socketTransports],
  casesPerSession: 200,
  casesTogether: 25_000,
  // In the simulation the time covers the work of all nodes, by turns of up to five seconds.
  hangMs: 20_000,
  generate: generateRequest,
  open: (options) => (options.world === "sim" ? openSimulated(options) : openLive(options)),
  shrink: shrinkRequest,
  describe: describeRequest,
  family: ({ method, uri }) => {
    const [path = ""] = uri.split("?");
    const words = path.split("/").filter((part) => part.startsWith("_"));
    return `${method} ${words.join("/")}`.trim().slice(0, 80);
  },
});
