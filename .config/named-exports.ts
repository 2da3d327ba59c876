import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * An ES module that gives the exports of a CommonJS file by name. esbuild makes a copy of all of
 * them, getter by getter, in each module that imports such a file: for React 3000 getters, which
 * take milliseconds at every start and make each hook slower to reach.
 * @param file absolute. It is run, to see what it exports.
 */
export function namedExports(file: string): string {
  const names = Object.keys(require(file));
  return `const all = require(${JSON.stringify(file)});
export default all;
export const { ${names.join(', ')} } = all;`;
}
