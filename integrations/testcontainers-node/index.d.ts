import { AbstractStartedContainer, GenericContainer } from "testcontainers";

/** One node of Orrery in a container. */
export declare class OrreryContainer extends GenericContainer {
  /** @param image Default `orrery:latest`, as `docker build --tag orrery .` makes it. */
  constructor(image?: string);
  /** Sets a setting of the node, such as `cluster.name`. */
  withSetting(name: string, value: string | number | boolean): this;
  /** Resolves when the node is in its cluster and answers requests. */
  start(): Promise<StartedOrreryContainer>;
}

export declare class StartedOrreryContainer extends AbstractStartedContainer {
  /** URL of the node for a client outside of the container; a client that sniffs gets addresses of the container's network. */
  getUrl(): string;
}
