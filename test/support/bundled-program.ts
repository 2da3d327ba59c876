import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, noDevtools, root } from '../../.config/bundle-options.ts';

/** Programs of the tests that draw with Ink or run a host, and the thread that a host loads from beside it. */
const programs = [
  'test/fixtures/guarded-app.ts',
  'test/fuzz/host.ts',
  'test/host/hostile/host-program.ts',
  'test/host/support/dying-host.ts',
  'test/host/support/host-process.ts',
  'source/host/logs/log-worker.ts',
] as const;

export type BundledProgram = (typeof programs)[number];

const bundles = path.join(root, 'node_modules/.cache/hostdeck/programs');

/** Bundles of other sources go after so many ms: `npm run cuts` starts its programs again for hours. */
const staleAfter = 24 * 3_600_000;

let built: Promise<string> | undefined;

/**
 * Returns the path of the bundle of a program. It starts with half of the processor time that its sources and
 * the packages need, or less. All programs are bundled at once, unless another process has done so.
 */
export async function bundledProgram(source: BundledProgram): Promise<string> {
  built ??= bundleAll();
  return path.join(await built, `${path.basename(source, '.ts')}.js`);
}

async function bundleAll(): Promise<string> {
  const folder = path.join(bundles, stateOfSources());
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return folder;
  mkdirSync(bundles, { recursive: true });
  removeStale();
  const part = `${folder}.${process.pid}.part`;
  const names = programs.map((source) => [path.basename(source, '.ts'), source]);
  await build({
    ...bundleOptions,
    entryPoints: Object.fromEntries(names),
    outdir: part,
    splitting: true,
    plugins: [noDevtools],
  });
  writeFileSync(path.join(part, 'package.json'), '{ "type": "module" }');
  // A rename, so that no other test starts half of a program.
  try {
    renameSync(part, folder);
  } catch (error) {
    rmSync(part, { recursive: true });
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) throw error;
  }
  return folder;
}

/** Returns a name for the files of which the bundles are made, which changes with each of them. */
function stateOfSources(): string {
  const hash = createHash('sha256').update(root);
  const inputs = ['package-lock.json', '.config/bundle-options.ts'];
  for (const folder of ['source', 'test']) {
    const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
    const sources = names.filter((name) => /\.tsx?$/.test(name)).toSorted();
    inputs.push(...sources.map((name) => path.join(folder, name)));
  }
  for (const input of inputs) {
    const { mtimeMs, size } = statSync(path.join(root, input));
    hash.update(`${input} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

function removeStale(): void {
  for (const name of readdirSync(bundles)) {
    const bundle = path.join(bundles, name);
    const age = Date.now() - (statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > staleAfter) rmSync(bundle, { recursive: true, force: true });
  }
}
