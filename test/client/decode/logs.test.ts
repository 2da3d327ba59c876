import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFrame, decodeLogs } from '../../../source/client/decode/logs.ts';
import { anyText } from '../any-text.ts';

function page(text: string) {
  const lines = decodeLogs(JSON.parse(text), text);
  if (!lines.ok) throw new Error(`${lines.field} ${lines.problem}`);
  return lines.value;
}

describe('a page of logs', () => {
  test('keeps the order of the service', () => {
    const lines = page('{"logs":[{"id":3,"logLine":"c"},{"id":1,"logLine":"a"}]}');
    expect(lines.map(({ value }) => value.logLine)).toEqual(['c', 'a']);
  });

  test('has the fields of a message in either case', () => {
    const camel = {
      deploymentId: 'd',
      serviceName: 'web',
      timestamp: 't',
      logLine: 'x',
      stream: 's',
    };
    const snake = {
      deployment_id: 'd',
      service_name: 'web',
      timestamp: 't',
      log_line: 'x',
      stream: 's',
    };
    expect(page(JSON.stringify([snake]))).toEqual(page(JSON.stringify([camel])));
    expect(page(JSON.stringify([{ type: 'log', id: 5, ...camel }]))).toEqual([
      { value: { id: 5, ...camel }, unknown: {} },
    ]);
  });

  test.each([
    ['2026-01-02 03:04:05.678', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04:05,678', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04', '2026-01-02T03:04Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T03:04:05+02:00'],
    ['yesterday', 'yesterday'],
  ])('has timestamps without a zone in UTC: %s', (sent, timestamp) => {
    const [line] = page(JSON.stringify([{ logLine: 'x', timestamp: sent }]));
    expect(line?.value).toEqual({ logLine: 'x', timestamp });
  });

  test('has plain strings as lines', () => {
    expect(page('["one","","{\\"id\\":1}"]').map(({ value }) => value)).toEqual([
      { logLine: 'one' },
      { logLine: '' },
      { logLine: '{"id":1}' },
    ]);
  });

  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['18446744073709551615', 18446744073709551615n],
    ['"18446744073709551615"', 18446744073709551615n],
    ['"17"', 17],
    ['-0', 0],
    ['1e3', 1000],
  ])('keeps the digits of id %s', (digits, id) => {
    expect(page(`[{"id":${digits},"logLine":"x"}]`)[0]?.value.id).toBe(id);
  });

  test.each(['"b3f"', `"${'9'.repeat(40)}"`])('keeps the text of id %s', (id) => {
    expect(page(`[{"id":${id},"logLine":"x"}]`)[0]?.value.id).toBe(JSON.parse(id));
  });

  test.each(['""', '1.5', 'null', '{}'])('ignores the id %s', (id) => {
    expect(page(`[{"id":${id},"logLine":"x"}]`)[0]?.value.id).toBeUndefined();
  });

  test('stays plain JSON except for its ids', () => {
    const [line] = page('[{"id":9007199254740993,"logLine":"x","pod":{"id":9007199254740993}}]');
    expect(line?.value.id).toBe(9007199254740993n);
    expect(() => JSON.stringify(line?.unknown)).not.toThrow();
  });

  test('names the line without text', () => {
    expect(decodeLogs({ logs: [{ logLine: 'x' }, { id: 1 }] }, '')).toEqual({
      ok: false,
      field: 'logs[1].logLine',
      problem: 'is missing',
    });
  });

  test('is decoded although the answer is nested too deeply for a reviver', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const text = `[{"id":9007199254740993,"logLine":"x","deep":${deep}}]`;
    expect(page(text)[0]?.value.logLine).toBe('x');
  });

  test('round-trips any line with any id', () => {
    const line = fc.record({
      id: fc.bigInt({ min: 0n, max: 2n ** 80n }),
      serviceName: fc.string({ minLength: 1 }),
      logLine: anyText,
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const texts = lines.map(
          ({ id, ...rest }) => `{"id":${id},${JSON.stringify(rest).slice(1)}`,
        );
        const read = page(`{"data":[${texts.join(',')}]}`).map(({ value }) => value);
        expect(read.map(({ id }) => String(id))).toEqual(lines.map(({ id }) => String(id)));
        expect(read.map(({ logLine }) => logLine)).toEqual(lines.map(({ logLine }) => logLine));
        for (const { id } of read) {
          expect(typeof id).toBe(Number.isSafeInteger(Number(id)) ? 'number' : 'bigint');
        }
      }),
    );
  });

  test('never throws on any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(typeof decodeLogs(json, JSON.stringify(json)).ok).toBe('boolean');
      }),
      { numRuns: 500 },
    );
  });
});

describe('a frame', () => {
  const message = {
    type: 'log',
    id: 1,
    deploymentId: 'd',
    serviceName: 'web',
    timestamp: '2026-01-01T00:00:00.123Z',
    logLine: 'hello',
    stream: 'stdout',
  };

  test('of type log is a line', () => {
    const { type: _, ...line } = message;
    expect(decodeFrame(JSON.stringify(message))).toEqual({ kind: 'line', line });
  });

  test('keeps the digits of a large id', () => {
    const text = '{"type":"log","id":9007199254740993,"logLine":"x"}';
    expect(decodeFrame(text)).toMatchObject({ line: { id: 9007199254740993n } });
  });

  test.each([
    ['{"type":"LOG","logLine":"x"}', 'LOG'],
    ['{"type":3}', 'untyped'],
    ['{}', 'untyped'],
  ])('%j is another message: %s', (text, what) => {
    expect(decodeFrame(text)).toEqual({ kind: 'other', description: what });
  });

  test('may begin with a byte order mark', () => {
    const text = '\uFEFF{"type":"log","logLine":"\uFEFFa"}';
    expect(decodeFrame(text)).toMatchObject({ kind: 'line', line: { logLine: '\uFEFFa' } });
    expect(decodeFrame(`\uFEFF${text}`)).toEqual({ kind: 'unreadable', description: 'not JSON' });
  });

  test.each(['', '\n', 'PING', 'keepalive', '{"type":"ping"}', '{"type":"keep-alive"}'])(
    '%j only keeps the connection open',
    (text) => {
      expect(decodeFrame(text)).toEqual({ kind: 'keep-alive', description: 'keep-alive' });
    },
  );

  test.each([
    ['hello', 'not JSON'],
    ['{"type":"log","logLine":"cut', 'not JSON'],
    ['{"type":"log","logLine":"\0"}', 'not JSON'],
    ['\u001f\ufffd\b', 'not JSON'],
    ['[1]', 'not an object'],
    ['"a line"', 'not an object'],
    ['{"logLine":"x"}', 'untyped'],
    ['{"type":"log","logLine":7}', 'log without text'],
  ])('%j is unreadable: %s', (text, what) => {
    expect(decodeFrame(text)).toEqual({ kind: 'unreadable', description: what });
  });

  test('with a very long type is shortened', () => {
    const frame = decodeFrame(JSON.stringify({ type: 'x'.repeat(1000) }));
    expect(frame).toEqual({ kind: 'other', description: 'x'.repeat(64) });
  });

  test('never throws', () => {
    const text = fc.oneof(anyText, fc.json());
    fc.assert(
      fc.property(text, (frame) => {
        expect(['line', 'keep-alive', 'other', 'unreadable']).toContain(decodeFrame(frame).kind);
      }),
      { numRuns: 500 },
    );
  });
});
