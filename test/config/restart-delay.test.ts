import { expect, test } from 'vitest';
import { readRestartDelay } from '../../source/config/restart-delay.ts';

test('the environment says how long a restart waits', () => {
  expect(readRestartDelay({})).toEqual({ ok: true, value: undefined });
  expect(readRestartDelay({ HOSTDECK_RESTART_DELAY: '' })).toEqual({ ok: true, value: undefined });
  expect(readRestartDelay({ HOSTDECK_RESTART_DELAY: '0.5' })).toEqual({ ok: true, value: 500 });
  expect(readRestartDelay({ HOSTDECK_RESTART_DELAY: 'off' })).toEqual({ ok: true, value: 'off' });
});

test('what it cannot mean is told in a sentence', () => {
  expect(readRestartDelay({ HOSTDECK_RESTART_DELAY: 'soon' })).toEqual({
    ok: false,
    problem: {
      sentence: 'HOSTDECK_RESTART_DELAY is soon.',
      next: 'It must be off, or seconds from 0 to 86400.',
    },
  });
});
