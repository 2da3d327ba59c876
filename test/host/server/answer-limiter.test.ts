import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnswerLimiter } from '../../../source/host/server/caller-limits.ts';

const kibibyte = 1024;

/** Stands for the response of an answer that is sent. */
function response(): ServerResponse {
  return Object.assign(new EventEmitter(), { closed: false }) as unknown as ServerResponse;
}

it('refuses a wallet exactly while its unread large answers reach the limit', () => {
  const answers = fc.array(
    fc.record({
      wallet: fc.constantFrom('a', 'b'),
      length: fc.integer({ min: 0, max: 300 * kibibyte }),
      isRead: fc.boolean(),
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(answers, (steps) => {
      const limiter = new AnswerLimiter(1024 * kibibyte);
      const unread: { wallet: string; length: number; sent: ServerResponse }[] = [];
      for (const { wallet, length, isRead } of steps) {
        const sent = response();
        limiter.track(wallet, 'x'.repeat(length), sent);
        if (length >= 64 * kibibyte) unread.push({ wallet, length, sent });
        if (isRead) unread.shift()?.sent.emit('close');
        for (const each of ['a', 'b']) {
          const bytes = unread
            .filter((one) => one.wallet === each)
            .reduce((sum, one) => sum + one.length, 0);
          if (bytes < 1024 * kibibyte) expect(() => limiter.assertRoom(each)).not.toThrow();
          else expect(() => limiter.assertRoom(each)).toThrow('Too many large answers');
        }
      }
    }),
  );
});

it('counts the bytes of a text, not its characters', () => {
  const limiter = new AnswerLimiter(1024 * kibibyte);
  limiter.track('a', 'é'.repeat(512 * kibibyte), response());
  expect(() => limiter.assertRoom('a')).toThrow('Too many large answers');
});

it('prepares four answers of a wallet at a time, in order, also after errors', async () => {
  const limiter = new AnswerLimiter(1);
  const started: string[] = [];
  const ends: ((isFailed: boolean) => void)[] = [];
  const prepare = (wallet: string, name: string) =>
    limiter.prepare(wallet, async () => {
      started.push(name);
      const end = Promise.withResolvers<boolean>();
      ends.push(end.resolve);
      if (await end.promise) throw new Error('failed');
      return name;
    });
  const results = Promise.allSettled(
    Array.from({ length: 6 }, (_, index) => prepare('a', `a${index}`)),
  );
  const other = prepare('b', 'b0');
  await turn();
  expect(started).toEqual(['a0', 'a1', 'a2', 'a3', 'b0']);
  ends[1]?.(true);
  await turn();
  expect(started).toEqual(['a0', 'a1', 'a2', 'a3', 'b0', 'a4']);
  for (let index = 0; index < 7; index += 1) {
    ends[index]?.(false);
    await turn();
  }
  expect((await results).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    ...Array.from({ length: 4 }, () => 'fulfilled'),
  ]);
  expect(await other).toBe('b0');
});

it('refuses an answer that waited when those before it are unread', async () => {
  const limiter = new AnswerLimiter(64 * kibibyte);
  const gate = Promise.withResolvers<void>();
  const first = Array.from({ length: 4 }, () => limiter.prepare('a', () => gate.promise));
  const waiting = limiter.prepare('a', async () => 'prepared');
  limiter.track('a', Buffer.alloc(64 * kibibyte), response());
  gate.resolve();
  await Promise.all(first);
  await expect(waiting).rejects.toMatchObject({ status: 429, retryAfter: 1 });
});

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
