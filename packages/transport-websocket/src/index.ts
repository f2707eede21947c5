/** The Network port over WebSocket. */
export { createWebsocketNetwork, type WebsocketNetworkOptions } from "./network.ts";
