/** HTTP for `rest`: Express carries the bytes. */
export { createHttpServer, type HttpServer, type HttpServerOptions } from "./server.ts";
