import openWabt from 'wabt';

/**
 * Assembles WebAssembly text with vectors.
 * @param file named in errors.
 * @throws where the text is no valid module.
 */
export async function assembleWat(file: string, text: string): Promise<Uint8Array> {
  const wabt = await openWabt();
  const module = wabt.parseWat(file, text, { simd: true });
  try {
    module.validate();
    return module.toBinary({}).buffer;
  } finally {
    module.destroy();
  }
}

/** Returns the source of the module that holds the assembled bytes of source/tail/query. */
export function byteSearchModule(bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,92}/g) ?? [];
  return `/** Generated from byte-search.wat by \`npm run docs\`. */
export const byteSearchModule =
  ${lines.map((line) => `'${line}'`).join(' +\n  ')};
`;
}
