/** What a Worker imports from a .wasm file: the module, compiled. */
declare const module: WebAssembly.Module;
export default module;
