/**
 * Verification of repositories (`VerifyNodeRepositoryAction`): the elected cluster manager writes a seed blob; every
 * cluster-manager-eligible and data node must read it and write a blob of its own. For a read-only repository each node
 * reads the newest generation instead.
 *
 * It proves that all nodes see the same store: a path that is a local folder on each node passes every write, and fails
 * at the seed.
 */
import { isDataNode, type ClusterState } from "@orrery/cluster-state";
import { BlobError, type Host, type Transport } from "@orrery/ports";
import {
  actions,
  ManagerRequest,
  ManagerResponse,
  readWireObject,
  wireJson,
} from "@orrery/protocol";
import { blobProblem, type RepositoryDefinition } from "@orrery/repository";
import {
  newUuid,
  OperationError,
  problemOf,
  utf8Decode,
  utf8Encode,
  type JsonObject,
  type NodeId,
  type Problem,
} from "@orrery/stdx";
import type { SnapshotDeps } from "./deps.ts";
import type { ManagerRepositories, OpenRepository } from "./repositories.ts";

/** Request to one node. */
interface VerifyHere {
  readonly definition: RepositoryDefinition;
  readonly seed: string;
}

/** Verifies a registered repository; answers with `{ nodes: { id: { name } } }`. Rejects when any node fails. */
export async function verifyRepository(deps: SnapshotDeps, name: string): Promise<JsonObject> {
  const seed = newUuid(deps.random);
  const repository = await begin(deps, name, seed);
  const nodes = verifiers(deps.applied());
  const { definition, settings } = repository;
  const request: VerifyHere = { definition, seed };
  const payload = ManagerRequest.encode({ body: wireJson(request) }).finish();
  const failures: string[] = [];
  // All nodes, even after a failure: the client learns of every node that cannot use the repository.
  for (const { id } of nodes) {
    await deps.transport
      .request(id, actions.verifyRepositoryHere, payload, { timeoutMs: NODE_TIMEOUT_MS })
      .catch((error: unknown) => {
        const { type, reason } = problemOf(error);
        failures.push(`[${id}, '${type}: ${reason}']`);
      });
  }
  if (!settings.isReadOnly) {
    await repository.store.removeFolder(folderOf(repository, seed)).catch(ignoreBlobError);
  }
  if (failures.length > 0) throw verificationFailed(name, `[${failures.join(", ")}]`);
  return { nodes: Object.fromEntries(nodes.map((node) => [node.id, { name: node.name }])) };
}

const NODE_TIMEOUT_MS = 30_000;

function verifiers(state: ClusterState): readonly { readonly id: NodeId; readonly name: string }[] {
  return [...state.nodes.values()].filter(
    (node) => isDataNode(node) || node.roles.includes("cluster_manager"),
  );
}

/** Writes the seed blob. Its failure is the product's `repository_verification_exception` about the cluster-manager node. */
async function begin(deps: SnapshotDeps, name: string, seed: string): Promise<OpenRepository> {
  const notAccessible = (cause: Problem): OperationError => {
    const problem: Problem = {
      type: "repository_verification_exception",
      reason: `[${name}] path  is not accessible on cluster-manager node`,
      status: 500,
    };
    // The root cause is a problem of the repository, but never one of the file system, as in the product's answer.
    const root = cause.type === "repository_exception" ? cause : problem;
    return new OperationError({ ...problem, causedBy: cause, rootCauses: [root] });
  };
  try {
    const repository = deps.repositories.named(deps.applied(), name);
    // A read-only repository must have a readable generation.
    if (repository.settings.isReadOnly) await repository.latestGeneration();
    else await repository.store.write(blobIn(repository, seed, "master"), utf8Encode(seed));
    return repository;
  } catch (error) {
    const problem = blobProblem(error);
    if (problem.type === "repository_missing_exception") throw error;
    throw notAccessible(problem);
  }
}

function folderOf({ settings, definition }: OpenRepository, seed: string): string {
  return settings.isPrefixVerified ? `tests-${definition.name}-${seed}` : `tests-${seed}`;
}

function blobIn(repository: OpenRepository, seed: string, name: string): string {
  return `${folderOf(repository, seed)}/${name}.dat`;
}

/** Registers the handler of `verifyRepositoryHere`, on every node. */
export function answerVerification(
  transport: Transport,
  host: Pick<Host, "log">,
  repositories: ManagerRepositories,
): void {
  transport.handle(actions.verifyRepositoryHere, async (payload) => {
    const request = readWireObject(ManagerRequest.decode(payload).body) as VerifyHere;
    const repository = repositories.open(request.definition);
    const { localNodeId } = transport;
    try {
      if (repository.settings.isReadOnly) await repository.latestGeneration();
      else await verifyHere(repository, request.seed, localNodeId);
    } catch (error) {
      const { name } = request.definition;
      host.log("warn", `[${name}] failed to verify repository: ${blobProblem(error).reason}`);
      if (error instanceof OperationError) throw error;
      const { isReadOnly, address } = repository.settings;
      const what = isReadOnly
        ? `path  is not accessible on node [${localNodeId}]`
        : `store location [${address.location}] is not accessible on the node [${localNodeId}]`;
      throw verificationFailed(name, what, blobProblem(error));
    }
    return ManagerResponse.encode({ body: wireJson({}) }).finish();
  });
}

/** Writes this node's blob, and compares the seed. */
async function verifyHere(repository: OpenRepository, seed: string, nodeId: NodeId): Promise<void> {
  const { store } = repository;
  await store.write(blobIn(repository, seed, `data-${nodeId}`), utf8Encode(seed), {
    replace: true,
  });
  const found = utf8Decode(await store.read(blobIn(repository, seed, "master")));
  if (found === seed) return;
  throw verificationFailed(repository.name, `Seed read was [${found}] but expected seed [${seed}]`);
}

function verificationFailed(name: string, what: string, causedBy?: Problem): OperationError {
  const problem: Problem = {
    type: "repository_verification_exception",
    reason: `[${name}] ${what}`,
    status: 500,
  };
  return new OperationError(causedBy === undefined ? problem : { ...problem, causedBy });
}

function ignoreBlobError(error: unknown): void {
  if (!(error instanceof BlobError)) throw error;
}
