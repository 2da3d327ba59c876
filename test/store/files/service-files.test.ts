import { expect, it } from 'vitest';
import { createServiceFiles } from '../../../source/store/files/service-files.ts';
import { createTestClock, settled } from '../../support/clock.ts';
import { failure, read, success } from '../requests.ts';

function open(answers: Parameters<typeof createServiceFiles>[0]['client']['list']) {
  const clock = createTestClock();
  const asked: string[] = [];
  const files = createServiceFiles({
    clock,
    client: {
      async list(deploymentId, service) {
        asked.push(`${deploymentId}/${service}`);
        return await answers(deploymentId, service);
      },
    },
  });
  return { clock, asked, files };
}

const web = { deploymentId: 'd', service: 'web' };

it('lists the files of a service once a while, without its folders', async () => {
  const { clock, asked, files } = open(async () =>
    success([read({ path: 'lib', directory: true }), read({ path: 'lib/cart.js' })]),
  );
  expect(files.paths(web)).toBeUndefined();
  files.want(web);
  files.want(web);
  await settled();
  expect(files.paths(web)).toEqual(['lib/cart.js']);
  await clock.advance(29_000);
  files.want(web);
  expect(asked).toHaveLength(1);
  await clock.advance(1000);
  files.want(web);
  expect(asked).toHaveLength(2);
});

it('keeps what it knows when a list fails', async () => {
  let answer: ReturnType<typeof success> | ReturnType<typeof failure> = success([
    read({ path: 'a' }),
  ]);
  const { clock, files } = open(async () => answer as never);
  files.want(web);
  await settled();
  answer = failure('forbidden', { status: 403 });
  await clock.advance(60_000);
  files.want(web);
  await settled();
  expect(files.paths(web)).toEqual(['a']);
});

it('forgets the services that were asked for first', async () => {
  const { files } = open(async (_, service) => success([read({ path: service })]));
  for (let number = 1; number <= 9; number += 1) {
    files.want({ deploymentId: 'd', service: `s${number}` });
    await settled();
  }
  expect(files.paths({ deploymentId: 'd', service: 's1' })).toBeUndefined();
  expect(files.paths({ deploymentId: 'd', service: 's9' })).toEqual(['s9']);
});
