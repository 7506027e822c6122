/** A Worker's import of a .wasm file: the compiled module. */
declare const module: WebAssembly.Module;
export default module;
