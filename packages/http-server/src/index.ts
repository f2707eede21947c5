/** HTTP for `rest`: Express carries the bytes. */
export {
  ConnectionCut,
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
} from "./server.ts";
