import { expect, test } from 'vitest';
import { createClient } from '../../source/client/client.ts';
import { answering, startHostile } from '../servers/hostile.ts';
import { ask, everyOperation, isWrite } from './every-operation.ts';

test('a read-only client sends every read, and none of the writes', async () => {
  await using server = Object.assign(await startHostile(answering(200, '{}')), {
    async [Symbol.asyncDispose]() {
      await server.close();
    },
  });
  let refusal: { sentence: string; next: string } | undefined;
  const client = createClient({
    baseUrl: server.baseUrl,
    token: 'token-of-the-test',
    writeRefusal: () => refusal,
  });
  const sentBy = async (operation: (typeof everyOperation)[number]) => {
    const before = server.heads.length;
    const result = await ask(client, operation, 'd-1');
    return { result, methods: server.heads.slice(before).map((head) => head.split(' ')[0]) };
  };
  expect(everyOperation.filter(isWrite)).toHaveLength(9);
  refusal = { sentence: 'PROD is read-only.', next: 'Nothing was sent.' };
  for (const operation of everyOperation) {
    const { result, methods } = await sentBy(operation);
    if (isWrite(operation)) {
      expect(result).toMatchObject({
        ok: false,
        error: { code: 'read-only', ...refusal, unknownOutcome: false },
      });
      // A write may read first, to learn in which form the service takes a path.
      expect(methods.filter((method) => method !== 'GET')).toEqual([]);
    } else expect(methods[0]).toBe('GET');
  }
  refusal = undefined;
  for (const operation of everyOperation.filter(isWrite)) {
    expect((await sentBy(operation)).methods.at(-1)).not.toBe('GET');
  }
  await client.close();
});
