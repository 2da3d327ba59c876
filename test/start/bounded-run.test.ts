import { describe, expect, it } from 'vitest';
import { guard } from '../../source/start/bounded-run.ts';

/** In ms: more than any work of these tests takes. */
const ample = 60_000;

/** In ms: too little for work without an end, enough for it to begin. */
const short = 100;

describe('a bounded run', () => {
  it('gives what the work gives', () => {
    expect(guard(() => 42, ample)).toEqual({ ok: true, value: 42 });
    expect(guard(() => undefined, ample)).toEqual({ ok: true, value: undefined });
  });

  it.each(['(a+)+$', '(.*a){20}b', '^(a|aa)+$'])('ends %s on a hostile line', (pattern) => {
    const expression = new RegExp(pattern);
    const line = `${'a'.repeat(100_000)}!`;
    let begun = false;
    const run = guard(() => {
      begun = true;
      return expression.test(line);
    }, short);
    expect([begun, run]).toEqual([true, { ok: false }]);
    // The next one is none the worse for it.
    expect(guard(() => /a!/.test(line), ample)).toEqual({ ok: true, value: true });
  });

  it('keeps what was written before the end', () => {
    const written: number[] = [];
    const run = guard(() => {
      for (let at = 0; ; at += 1) if (at < 3) written.push(at);
    }, short);
    expect([run, written]).toEqual([{ ok: false }, [0, 1, 2]]);
  });

  it('passes on what the work throws', () => {
    expect(() =>
      guard(() => {
        throw new Error('full');
      }, ample),
    ).toThrow('full');
    expect(guard(() => 1, ample)).toEqual({ ok: true, value: 1 });
  });

  it('may run inside another', () => {
    expect(guard(() => [guard(() => 1, ample), 2], ample)).toEqual({
      ok: true,
      value: [{ ok: true, value: 1 }, 2],
    });
  });
});
