import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameReader, detectShape } from '../../../source/tail/arena/frame-shape.ts';
import { RunReader } from '../../../source/tail/arena/run-reader.ts';
import { ServiceNames } from '../../../source/tail/service-names.ts';

const encoder = new TextEncoder();

/** The result of a reader that learned its shape from another message. */
function readWith(learned: string, message: string): { id: number; service: string | undefined } {
  const shape = detectShape(learned);
  if (shape === undefined) return { id: -1, service: undefined };
  const names = new ServiceNames();
  const reader = new FrameReader(shape, names);
  const bytes = encoder.encode(`..${message}..`);
  const id = reader.read(bytes, 2, bytes.length - 2);
  return { id, service: names.name(reader.service) };
}

const deploymentId = '00000000-0000-4000-8000-000000000000-1';

function message(fields: object): string {
  const rest = { deploymentId, serviceName: 'web', timestamp: 't', logLine: 'l', stream: 'stdout' };
  return JSON.stringify({ type: 'log', id: 1, ...rest, ...fields });
}

const usual = message({});

describe('the shape of messages', () => {
  it('yields the id and service of any message of the same writer', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
    fc.assert(
      fc.property(fc.nat(999_999_999_999_999), name, fc.string(), (id, serviceName, logLine) => {
        expect(readWith(usual, message({ id, serviceName, logLine }))).toEqual({
          id,
          service: serviceName,
        });
      }),
    );
  });

  it.each([
    [
      'spaces',
      '{"type": "log", "id": 1, "deploymentId": "d", "serviceName": "web", "logLine": "x"}',
    ],
    ['the id first', '{"id":1,"type":"log","deploymentId":"d","serviceName":"web","logLine":"x"}'],
    ['snake case', '{"type":"log","id":1,"deployment_id":"d","service_name":"web","log_line":"x"}'],
  ])('is learned from messages with %s', (_, first) => {
    const next = first.replace(/"id": ?1/, (id) => id.replace('1', '4711'));
    expect(readWith(first, next)).toEqual({ id: 4711, service: 'web' });
  });

  it.each([
    ['another type', usual.replace('"log"', '"end"')],
    ['no id', usual.replace('"id":1,', '')],
    ['an id as text', usual.replace('"id":1', '"id":"1"')],
    ['an id that is no whole number', usual.replace('"id":1', '"id":1.5')],
    ['an id with an exponent', usual.replace('"id":1', '"id":1e3')],
    ['an id above 2^53', usual.replace('"id":1', '"id":9007199254740993')],
    ['a leading zero', usual.replace('"id":1', '"id":01')],
    ['other fields', usual.replace('"serviceName"', '"other"')],
    ['escapes in its service', message({ serviceName: 'a"b' })],
    ['a service that is not ASCII', message({ serviceName: 'wéb' })],
    ['no end', usual.slice(0, -1)],
    ['little more than a beginning', '{"type":"log","id":1}'],
  ])('rejects a message with %s', (_, odd) => {
    expect(readWith(usual, odd).id).toBe(-1);
  });

  it('checks a type after the id in each message', () => {
    const first = '{"id":1,"type":"log","deploymentId":"d","serviceName":"web","logLine":"x"}';
    expect(readWith(first, first.replace('"log"', '"end"')).id).toBe(-1);
  });
});

describe('a run of messages', () => {
  it('is undefined when ids plus base exceed the safe integers', () => {
    const reader = new RunReader(new ServiceNames(), () => ({}));
    reader.learnShape(usual);
    const bytes = encoder.encode(message({ id: 123_456_789 }));
    const frames = {
      bytes,
      count: 1,
      starts: Uint32Array.of(0),
      ends: Uint32Array.of(bytes.length),
    };
    expect(reader.read(frames)?.places[0]).toBe(123_456_789);
  });
});
