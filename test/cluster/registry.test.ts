import { afterEach, describe, expect, test } from 'vitest';
import { deploy, errorIn } from '../host/support/bodies.ts';
import { formOf } from '../host/support/temporary-host.ts';
import { hostOnBed, programAnswering } from './bed-host.ts';
import { close, isMissing, restoreBed, runningTasks, stopRegistry, webSdl } from './bed.ts';

describe.skipIf(isMissing)('a registry that has ended', () => {
  const bed = hostOnBed();
  afterEach(restoreBed);

  test('lets a restart be refused in a sentence, and what runs alone', async () => {
    const { owner } = bed;
    const { id } = await deploy(owner, webSdl(2, { args: ['-e', programAnswering('yes')] }));
    const serves = async () => {
      await bed.awaitAnswers(id, ['yes', 'yes']);
      return (await runningTasks(id)).map((task) => task.id);
    };
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
