import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { bundleOptions, noDevtools, root } from '../../.config/bundle-options.ts';

const plainScreenFile = path.join(import.meta.dirname, 'plain-screen.ts');

/** The screen that Ink writes by itself, in place of ours. */
const plainScreen = `
import { createPlainScreen } from ${JSON.stringify(plainScreenFile)};
export const createTerminalScreen = ({ output }) => createPlainScreen(output);
`;

/** The options with which Ink draws whole screens fastest. */
const inkOptions = 'alternateScreen: true, incrementalRendering: true, maxFps: 30,';
const ourOptions = 'debug: true,';

/** The console as it would be on Ink's own renderer, with nothing of Ink replaced. */
const stockRenderer: Plugin = {
  name: 'stock-renderer',
  setup(bundle) {
    bundle.onLoad({ filter: /source\/terminal\/screen\/screen\.ts$/ }, ({ path: file }) => ({
      contents: plainScreen,
      resolveDir: path.dirname(file),
    }));
    bundle.onLoad({ filter: /source\/view\/shell\/mount\.tsx$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      if (!source.includes(ourOptions)) throw new Error(`${file} does not say ${ourOptions}`);
      return { contents: source.replace(ourOptions, inkOptions), loader: 'tsx' };
    });
  },
};

/** Bundles that console; gives its entry. */
export async function buildStock(): Promise<string> {
  const outdir = path.join(root, 'node_modules/.cache/hostdeck/stock');
  await build({
    ...bundleOptions,
    entryPoints: { cli: 'source/start/cli.ts' },
    outdir,
    splitting: true,
    outExtension: { '.js': '.mjs' },
    plugins: [stockRenderer, noDevtools],
  });
  return path.join(outdir, 'cli.mjs');
}
