/** The Network port over gRPC. */
export { createGrpcNetwork, type GrpcNetworkOptions } from "./network.ts";
