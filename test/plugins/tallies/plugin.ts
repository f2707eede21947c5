/** A plugin with code in every place that a read goes through, each of which throws when a test says so. */
import type { Plugin } from "@orrery/node";
import { defineMetric, setWeight, type LanguageModule } from "@orrery/query/extension";
import type { Faults } from "./faults.ts";
import { columnValuesOf, existsOf, tallyPart, tallyType } from "./tally.ts";

export function talliesWith(faults: Faults): Plugin {
  const part = tallyPart(faults);
  const columnValues = columnValuesOf(part, faults);
  const language: LanguageModule = {
    fieldTypes: {
      tally: tallyType(part, (name) => ({
        columnValues,
        queries: { exists: () => existsOf(part, name) },
      })),
      tally_values: tallyType(part, () => ({ columnValues })),
      tally_exists: tallyType(part, (name) => ({
        queries: { exists: () => existsOf(part, name) },
      })),
      tally_mute: tallyType(part, () => ({})),
    },
    queries: {
      faulty: () => ({
        boost: 1,
        label: undefined,
        build: (_context, boost) => ({
          kind: "own",
          description: "faulty",
          weight: () =>
            setWeight(boost, ({ maxDoc }) => {
              faults.meet("weight");
              return { kind: "test", test: () => (faults.meet("test"), true), cost: maxDoc };
            }),
        }),
      }),
    },
    aggregations: {
      faulty_count: (head) =>
        defineMetric<number>(head, {
          create: () => {
            faults.meet("create");
            return {
              open: () => ({ collect: () => faults.meet("collect") }),
              partial: () => (faults.meet("partial"), 1),
            };
          },
          reduce: (partials) => (faults.meet("reduce"), partials.length),
          render: (value) => (faults.meet("render"), { value }),
          metric: (value) => value,
        }),
    },
  };
  return {
    name: "opensearch-tallies",
    description: "Tallies that throw where they are told to",
    classname: "org.orrery.tallies.TalliesPlugin",
    shards: {
      name: "tallies",
      language,
      segmentParts: [part],
      restrict: () => faults.restrict?.(),
      guards: [
        (call, next) => {
          faults.meet(`guard of ${call.action}`);
          return next(call.context);
        },
      ],
    },
  };
}
