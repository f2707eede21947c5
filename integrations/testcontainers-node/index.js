/** One node of Orrery in a container: `await new OrreryContainer().start()` resolves when the node is in its cluster. */
import { AbstractStartedContainer, GenericContainer, Wait } from "testcontainers";

const HTTP_PORT = 9200;
const TRANSPORT_PORT = 9300;
const STARTUP_TIMEOUT_MS = 60_000;

export class OrreryContainer extends GenericContainer {
  constructor(image = "orrery:latest") {
    super(image);
    this.withExposedPorts(HTTP_PORT, TRANSPORT_PORT)
      .withEnvironment({ "discovery.type": "single-node", "plugins.security.disabled": "true" })
      // The line comes after the node has joined its cluster and answers requests. A wait for HTTP would ask once a second.
      .withWaitStrategy(Wait.forLogMessage(/\] started$/))
      .withStartupTimeout(STARTUP_TIMEOUT_MS);
  }

  /** Sets a setting of the node, such as `cluster.name`. */
  withSetting(name, value) {
    return this.withEnvironment({ [name]: String(value) });
  }

  async start() {
    return new StartedOrreryContainer(await super.start());
  }
}

export class StartedOrreryContainer extends AbstractStartedContainer {
  /** URL of the node for a client outside of the container; a client that sniffs gets addresses of the container's network. */
  getUrl() {
    return `http://${this.getHost()}:${this.getMappedPort(HTTP_PORT)}`;
  }
}
