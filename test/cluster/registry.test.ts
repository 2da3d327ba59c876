import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deploy, errorIn, readDeployment } from '../host/support/bodies.ts';
import { formOf, type TemporaryHost, temporaryHost } from '../host/support/temporary-host.ts';
import {
  answers,
  close,
  isMissing,
  onBed,
  restoreBed,
  runningTasks,
  stopRegistry,
  waitForBed,
  webSdl,
} from './bed.ts';

const serving = `
  process.on('SIGTERM', () => process.exit());
  require('node:http').createServer((_, answer) => answer.end('yes')).listen(process.env.PORT);
`;

describe.skipIf(isMissing)('a registry that has ended', () => {
  let service: TemporaryHost;
  beforeAll(async () => {
    service = await temporaryHost(onBed);
  });
  afterEach(restoreBed);
  afterAll(async () => {
    await service.remove();
  });

  test('lets a restart be refused in a sentence, and what runs alone', async () => {
    const owner = service.as('0xowner');
    const { id } = await deploy(owner, webSdl(2, { args: ['-e', serving] }));
    const serves = async () =>
      await waitForBed(async () => {
        const { state, services } = await readDeployment(owner, id);
        expect(state).toBe('active');
        expect(await answers(services[0]?.endpoints)).toEqual(['yes', 'yes']);
        return (await runningTasks(id)).map((task) => task.id);
      });
    const before = await serves();
    const form = formOf({ 'changed.txt': 'one' });
    await owner.call('uploadFiles', { id, name: 'web', form });

    await stopRegistry();
    const asked = Date.now();
    const answer = await owner.call('restartDeployment', { id });
    process.stdout.write(`registry ended: restart refused in ${Date.now() - asked} ms\n`);
    expect(errorIn(answer)).toMatchObject({
      status: 409,
      message: expect.stringMatching(/^Nothing was restarted: .*connection refused\.$/),
    });
    expect(await serves()).toEqual(before);
    await close(owner, id);
  });
});
