/** Action that creates a data stream, rolls it over, and deletes it. */
import { attempt, until, wait, type ActionRow } from "./action.ts";

export const dataStream: ActionRow = {
  areas: ["administration"],
  draw: (scene) => {
    const ask = { cluster: scene.cluster().name };
    const template = {
      index_patterns: ["stream-*"],
      data_stream: {},
      template: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
    };
    return [
      attempt("PUT /_index_template/streams", { ...ask, body: template }),
      attempt("PUT /_data_stream/stream-1", ask),
      wait(scene.ms(1, 500)),
      attempt("POST /stream-1/_rollover", ask),
      ...(scene.chance(700) ? [attempt("DELETE /_data_stream/stream-1", ask)] : []),
    ];
  },
  undo: ({ clusters }) =>
    clusters.map(({ name: cluster }) =>
      until("DELETE /_data_stream/stream-1", [200, 404], { cluster }),
    ),
};
