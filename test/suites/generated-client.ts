/** A client that is generated from the OpenAPI document of a host: it type-checks, and does all operations. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { operations as contractOperations } from '../../source/contract/routes.ts';
import { sdlOf } from '../host/support/temporary-host.ts';
import { packages } from './install.ts';
import type { Report } from './report.ts';

/** The module that `generated/operations.ts` is compiled to. */
interface GeneratedClient {
  operations(
    baseUrl: string,
    token: string,
    sdl: string,
  ): AsyncIterable<readonly [name: string, status: number, value: unknown]>;
}

/** Compiles to JavaScript, because Node strips no types in a folder of packages. */
const compilerOptions = {
  target: 'esnext',
  module: 'nodenext',
  lib: ['esnext', 'dom'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  rewriteRelativeImportExtensions: true,
  outDir: 'built',
};

/** @param document file with the OpenAPI document of the host. */
export async function checkGeneratedClient(
  report: Report,
  document: string,
  baseUrl: string,
  token: string,
): Promise<void> {
  const folder = path.join(packages, 'generated');
  mkdirSync(folder, { recursive: true });
  const program = path.join(import.meta.dirname, 'generated/operations.ts');
  copyFileSync(program, path.join(folder, 'operations.ts'));
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  await report.check('openapi-typescript', () =>
    failureOf('openapi-typescript', [document, `--output=${path.join(folder, 'service.ts')}`]),
  );
  await report.check('types of the generated client', () => failureOf('tsc', ['-p', folder]));
  const done = new Map<string, string | undefined>();
  await report.check('the generated client', async () => {
    const built = path.join(folder, 'built/operations.js');
    const client = (await import(built)) as GeneratedClient;
    const sdl = sdlOf({ web: { command: ['sh', '-c', 'echo ready; exec sleep 600'] } });
    for await (const [name, status, value] of client.operations(baseUrl, token, sdl)) {
      const isDone = status >= 200 && status < 300 && value !== undefined;
      done.set(name, isDone ? undefined : `${status} ${JSON.stringify(value)}`);
    }
    return undefined;
  });
  for (const name of Object.keys(contractOperations)) {
    await report.check(`${name} with the generated client`, () =>
      done.has(name) ? done.get(name) : 'It was not done.',
    );
  }
}

/** Resolves with the output of a program that fails. */
async function failureOf(program: string, args: readonly string[]): Promise<string | undefined> {
  const command = path.join(packages, 'node_modules/.bin', program);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await once(child, 'close');
  return status === 0 ? undefined : (await output).join('').trim();
}
