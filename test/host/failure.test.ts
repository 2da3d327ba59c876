import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { deploy, errorIn } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import { type CallOptions, formOf, idle, sdlOf } from './support/temporary-host.ts';

const failures: unknown[] = [];
const service = sharedHost({ onFailure: (error) => failures.push(error) });
const owner = service.as('0xowner');
let id: string;

beforeAll(async () => {
  ({ id } = await deploy(owner, sdlOf({ web: idle })));
  // A file in place of a folder makes every operation fail.
  const folder = path.join(service.dataDir, 'deployments', id);
  await rm(folder, { recursive: true });
  await writeFile(folder, '');
});

it.each([
  ['listFiles', {}],
  ['getFile', { path: 'a.txt' }],
  ['updateFile', { path: 'a.txt', json: { content: 'text' } }],
  ['uploadFiles', { form: formOf({ 'a.txt': 'text' }) }],
  ['renameFile', { json: { oldPath: 'a.txt', newPath: 'b.txt' } }],
  ['deleteFile', { path: 'a.txt' }],
] as const satisfies readonly (readonly [string, CallOptions])[])(
  'an internal error discloses no details to the caller: %s',
  async (operation, options) => {
    const before = failures.length;
    const answer = await owner.call(operation, { id, name: 'web', ...options });
    expect(errorIn(answer)).toEqual({
      status: 500,
      success: false,
      code: 'internal',
      message: "Internal error. See the host's output.",
      details: [],
    });
    expect(failures).toHaveLength(before + 1);
    expect(String(failures.at(-1))).toContain('ENOTDIR');
    expect((await owner.call('getDeployment', { id })).status).toBe(200);
  },
);

it('refuses a restart of a deployment whose folder is gone', async () => {
  expect(errorIn(await owner.call('restartDeployment', { id }))).toEqual({
    status: 409,
    success: false,
    code: 'conflict',
    message: "The deployment's folder is no longer a folder.",
    details: [],
  });
});
