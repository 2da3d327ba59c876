/**
 * Yoga's wasm module, made to load while its import is evaluated. As it comes, it takes its bytes
 * out of a data: URL with `fetch`, for which Node loads an HTTP client, 30 ms.
 * @param source of `yoga-wasm-base64-esm.js`. Throws where it is not as expected.
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
