// Put in front of the declarations of each WASM module: its names of the web platform, for a project without the DOM library.
type BufferSource = ArrayBuffer | ArrayBufferView;
type RequestInfo = string | Request;
declare namespace WebAssembly {
  /** The platform's own type, where the project knows it. */
  type Known<Name extends string> = typeof globalThis extends {
    WebAssembly: Record<Name, abstract new (...args: never) => infer Instance>;
  }
    ? Instance
    : object;
  type Module = Known<'Module'>;
  type Memory = Known<'Memory'>;
  type Table = Known<'Table'>;
}
