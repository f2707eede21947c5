/** The part of the library that the codec runtime sets; the library's own types need Node's. */
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
