import { describe, expect } from 'vitest';
import { formOf } from '../host/support/temporary-host.ts';
import type { Answer } from './caller.ts';
import { line } from './line.ts';
import { done, textsIn } from './reading.ts';
import { deploy, eventually, serviceUnderTest } from './service.ts';

const service = await serviceUnderTest();
const { owner } = service;

describe.concurrent('4. Endpoints: Files: rule', () => {
  const rule =
    'after file operations the deployment must be restarted (POST /api/v1/deployments/:id/restart) for the changes to apply';

  /** Program that writes the content of its file repeatedly. */
  const reader = `const { readFileSync } = require('node:fs'); let n = 0;
    const held = (path) => { try { return readFileSync(path, 'utf8') } catch { return 'nothing' } };
    setInterval(() => console.log('saw', held('f.txt'), held('g.txt'), n++), 20)`;

  type Change = (at: { readonly id: string; readonly name: string }) => Promise<Answer>;

  const at = (content: string): Change => {
    return (where) => owner.call('updateFile', { ...where, path: 'f.txt', json: { content } });
  };

  const changes: readonly (readonly [string, readonly string[], Change])[] = [
    [
      'Upload files',
      ['nothing nothing', 'uploaded both'],
      (where) => {
        const form = formOf({ 'f.txt': 'uploaded', 'g.txt': 'both' });
        return owner.call('uploadFiles', { ...where, form });
      },
    ],
    ['Update file', ['first nothing', 'second nothing'], at('second')],
    [
      'Rename file',
      ['first nothing', 'nothing first'],
      (where) =>
        owner.call('renameFile', { ...where, json: { oldPath: 'f.txt', newPath: 'g.txt' } }),
    ],
    [
      'Delete file',
      ['first nothing', 'nothing nothing'],
      (where) => owner.call('deleteFile', { ...where, path: 'f.txt' }),
    ],
  ];

  for (const [operation, [before = '', after = ''], change] of changes) {
    line(`${rule}: ${operation}`, 'programs', async () => {
      const { id } = await deploy(service, { web: reader });
      const where = { id, name: 'web' };
      const saw = async (text: string) =>
        textsIn(await owner.call('fetchLogs', { id, query: { limit: 1000 } })).filter((each) =>
          each.startsWith(`saw ${text} `),
        ).length;
      const seen = (text: string, count: number) =>
        eventually(async () => {
          expect(await saw(text)).toBeGreaterThanOrEqual(count);
        });
      if (before.startsWith('first')) {
        done(await at('first')(where));
        done(await owner.call('restartDeployment', { id }));
      }
      await seen(before, 2);
      // Before its first file arrives, a program may already see the final content.
      const earlier = await saw(after);
      done(await change(where));
      await seen(before, (await saw(before)) + 10);
      expect(await saw(after)).toBe(earlier);
      done(await owner.call('restartDeployment', { id }));
      await seen(after, earlier + 2);
    });
  }
});
