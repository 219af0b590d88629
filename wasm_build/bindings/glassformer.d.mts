// Types of the glue: a factory for the module whose functions bindings/*.cpp list. Null where relaxed SIMD was not built.
declare const createGlassformer: (options?: {
  wasmBinary?: ArrayBuffer | Uint8Array;
  locateFile?: (file: string, folder: string) => string;
}) => Promise<any>;
export default createGlassformer;
