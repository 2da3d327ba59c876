import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Changes to one file of a package. */
export interface Patch {
  /** File below `node_modules`. */
  readonly file: string;
  readonly edits: readonly Edit[];
  /** Imports that the edits need. */
  readonly imports?: string;
}

interface Edit {
  /** Text that the file has exactly once. */
  readonly pattern: RegExp;
  /** Text in its place; `$1` stands for the pattern's first group. */
  readonly by: string;
}

/**
 * Returns the patched source of a package's file.
 * @throws where a pattern is not found exactly once: the package has changed.
 */
export function patchedSource({ file, edits, imports = '' }: Patch, source: string): string {
  let text = source;
  for (const { pattern, by } of edits) {
    const found = text.match(new RegExp(pattern, 'g'))?.length ?? 0;
    if (found !== 1) {
      throw new Error(
        `${file} has ${pattern} ${found} times, not once. Adapt the patch to the package's version.`,
      );
    }
    text = text.replace(pattern, by);
  }
  return imports + text;
}

/** Applies each of the patches; the bundling fails where a file is missing or differs. */
export function patchPackages(patches: readonly Patch[]): Plugin {
  return {
    name: 'patch-packages',
    setup(bundle) {
      const applied = new Set<Patch>();
      for (const patch of patches) {
        const filter = new RegExp(`/node_modules/${RegExp.escape(patch.file)}$`);
        bundle.onLoad({ filter }, async ({ path: file }) => {
          applied.add(patch);
          return { contents: patchedSource(patch, await readFile(file, 'utf8')) };
        });
      }
      bundle.onEnd(() => ({
        errors: patches
          .filter((patch) => !applied.has(patch))
          .map(({ file }) => notBundled(file, 'patch')),
      }));
    },
  };
}

/** Returns the error of a change to a file that no module imports. */
export function notBundled(file: string, change: string): { readonly text: string } {
  return {
    text: `${file} is not bundled, so that its ${change} does nothing. Adapt or remove it.`,
  };
}
