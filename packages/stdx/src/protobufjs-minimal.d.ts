/** What the codec runtime sets of the library, whose own types need Node's. */
declare module "protobufjs/minimal.js" {
  interface Limited {
    recursionLimit: number;
  }
  interface Runtime {
    readonly util: Limited & { Long: undefined; Buffer: null };
    readonly Reader: Limited;
    configure(): void;
  }
  const protobuf: Runtime;
  export default protobuf;
}
