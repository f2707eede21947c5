/** Every checker by its name. */
import type { Checker, CheckerName } from "./checker.ts";
import { convergesToGreen } from "./converges-to-green.ts";
import { copiesOfAShardAgree } from "./copies-of-a-shard-agree.ts";
import { noAcknowledgedWriteLost } from "./no-acknowledged-write-lost.ts";
import { oneClusterManagerPerTerm } from "./one-cluster-manager-per-term.ts";

export const checkers: { readonly [Name in CheckerName]: Checker } = {
  "one-cluster-manager-per-term": oneClusterManagerPerTerm,
  "no-acknowledged-write-lost": noAcknowledgedWriteLost,
  "copies-of-a-shard-agree": copiesOfAShardAgree,
  "converges-to-green": convergesToGreen,
};
