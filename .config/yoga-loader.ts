/**
 * Returns Yoga's wasm module, changed to compile its bytes while the module is evaluated; the original
 * takes them out of a data: URL with `fetch`, for which Node loads an HTTP client.
 * @param source of `yoga-wasm-base64-esm.js`.
 * @throws where the source is not the expected one.
 */
export function synchronousYoga(source: string): string {
  const ending = 'export default loadYoga;';
  const [whole = '', wasm = ''] =
    /"data:application\/octet-stream;base64,([\w+/=]+)"/.exec(source) ?? [];
  if (wasm === '' || !source.includes(ending)) throw new Error('Yoga is not as it was');
  return source.replace(whole, '""').replace(
    ending,
    `const wasm = '${wasm}';
export default () => {
  const yoga = {
    instantiateWasm(imports, receive) {
      const compiled = new WebAssembly.Module(Buffer.from(wasm, 'base64'));
      receive(new WebAssembly.Instance(compiled, imports));
      return {};
    },
  };
  loadYoga(yoga);
  return yoga;
};`,
  );
}
