/** HTTP server for the REST operations of `rest`, on Node's `http` module. */
export {
  ConnectionCut,
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
} from "./server.ts";
