import { expect, it } from 'vitest';
import { parseLogMemory, readLogMemory } from '../../source/config/log-memory.ts';

it('takes what is asked for, and leaves the rest to what is usual', () => {
  expect(readLogMemory({})).toEqual({ ok: true, value: {} });
  expect(readLogMemory({ HOSTDECK_LOG_LINES: '', HOSTDECK_LOG_BYTES: '' })).toEqual({
    ok: true,
    value: {},
  });
  expect(readLogMemory({ HOSTDECK_LOG_LINES: '5000' })).toEqual({
    ok: true,
    value: { maxLines: 5000 },
  });
});

it.each([
  ['1048576', 2 ** 20],
  ['2048k', 2 ** 21],
  ['512M', 2 ** 29],
  ['512MiB', 2 ** 29],
  ['1G', 2 ** 30],
])('reads the size %s', (bytes, maxBytes) => {
  expect(parseLogMemory({ lines: undefined, bytes })).toEqual({ ok: true, value: { maxBytes } });
});

it.each(['', '1', '-1M', '1.5G', 'much', '65G', '1T'])('refuses the size %j', (bytes) => {
  expect(parseLogMemory({ lines: undefined, bytes })).toEqual({ ok: false, wrong: 'bytes' });
});

it('says what cannot be read in a sentence', () => {
  expect(readLogMemory({ HOSTDECK_LOG_LINES: '10' })).toEqual({
    ok: false,
    problem: {
      sentence: 'HOSTDECK_LOG_LINES is 10.',
      next: 'It must be a number from 1000 to 100000000.',
    },
  });
  expect(readLogMemory({ HOSTDECK_LOG_BYTES: 'all' })).toMatchObject({
    problem: { sentence: 'HOSTDECK_LOG_BYTES is all.', next: 'It must be a size from 1M to 64G.' },
  });
});
