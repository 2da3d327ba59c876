import { expect, it } from 'vitest';
import { decodeFrame } from '../../../source/client/decode/logs.ts';
import { encodeFrame } from '../../../source/tail/arena/frame.ts';
import { extractText } from '../../../source/tail/arena/frame-text.ts';

it('an instance is decoded from a message and encoded in one', () => {
  const line = {
    id: 7,
    deploymentId: 'd',
    serviceName: 'worker',
    timestamp: '2026-11-21T12:00:00.000Z',
    logLine: 'a "quoted" word, and "instance":3}',
    stream: 'stdout',
    instance: 12,
  };
  const text = JSON.stringify({ type: 'log', ...line });
  expect(decodeFrame(text)).toEqual({ kind: 'line', line });
  expect(decodeFrame(new TextDecoder().decode(encodeFrame(line)))).toEqual({ kind: 'line', line });
  expect(extractText(text)).toBe(line.logLine);
});

it.each([0, -1, 1.5, '2', 'i-0abc', null, [2]])(
  'an instance is not decoded from %j',
  (instance) => {
    const text = JSON.stringify({ type: 'log', serviceName: 'worker', logLine: '', instance });
    expect(decodeFrame(text)).toMatchObject({ kind: 'line', line: { instance: undefined } });
  },
);
