/**
 * The identity of a node, kept in its store: an id of its own, and the name that it was given.
 *
 * INV-STORE-3: a store is one node's. A folder that was copied and is started under another name would be a second
 * node with the same id and the same votes; it is refused until an operator declares the first one gone.
 */
import { nodeIdName, nodeNameName, type Host } from "@orrery/ports";
import { newUuid, OperationError, utf8Decode, utf8Encode, type NodeId } from "@orrery/stdx";

/**
 * The node's id, made at the first start and written durably. A store with a loss is not written before it starts over.
 * @throws OperationError The store is another node's.
 */
export async function nodeIdentity(
  { store, random }: Pick<Host, "store" | "random">,
  name: string,
): Promise<NodeId> {
  const { values, loss } = store.load();
  const storedId = values.get(nodeIdName);
  const storedName = values.get(nodeNameName);
  const id = storedId === undefined ? newUuid(random("node-id")) : utf8Decode(storedId);
  if (storedName !== undefined && utf8Decode(storedName) !== name)
    throw new OperationError(otherNode(utf8Decode(storedName), name, id));
  // A store that has lost something accepts no batch but the one that starts over, which has id and name.
  const isKnown = storedId !== undefined && storedName !== undefined;
  if (!isKnown && loss === undefined)
    await store.write({ values: identityValues(id as NodeId, name) });
  return id as NodeId;
}

function identityValues(id: NodeId, name: string): ReadonlyMap<string, Uint8Array> {
  return new Map([
    [nodeIdName, utf8Encode(id)],
    [nodeNameName, utf8Encode(name)],
  ]);
}

function otherNode(owner: string, name: string, id: string) {
  return {
    type: "illegal_state_exception",
    reason: `this data folder is of node [${owner}]: a copy of it under the name [${name}] would be a second node with the id [${id}]. When [${owner}] is no more, [orrery node repair ${name} --data DIR --rename] gives the folder this name`,
    status: 500,
  };
}
