import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeContent,
  decodeText,
  isNonJsonPath,
  updateContentEvidence,
  noContentEvidence,
  classifyContent,
} from '../../source/client/file-content.ts';
import { anyText } from './any-text.ts';

const raw = { raw: true, envelope: false };
const envelope = { raw: false, envelope: true };
const contradicted = { raw: true, envelope: true };

function kind(path: string, answer: unknown, habit = noContentEvidence, probed = false) {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return classifyContent(path, Buffer.from(text), habit, probed).kind;
}

describe('an answer to "get file content"', () => {
  test.each([
    ['text', 'port: 80\n'],
    ['nothing', ''],
    ['a JSON list', '[{"content":"x"}]'],
    ['a JSON text', '"content"'],
    ['broken JSON', '{"content":"x"'],
    ['two JSON objects', '{"content":"x"}\n{"content":"y"}'],
    ['a JSON object without content', { beta: true }],
    ['a JSON object whose content is no text', { path: 'a.json', content: 1 }],
  ])('with %s is the file', (_, answer) => {
    expect(kind('a.json', answer)).toBe('raw');
    expect(kind('a.json', answer, envelope)).toBe('raw');
  });

  test.each([
    ['names the path asked for', { path: 'a.json', content: '{}' }],
    ['names it as filePath', { filePath: 'a.json', content: '{}' }],
    ['wraps file', { success: true, file: { content: '{}' } }],
    ['wraps data', { data: { content: '{}' } }],
    ['wraps file below data', { data: { file: { path: 'a.json', content: '{}' } } }],
  ])('that %s is an envelope unless another file can decide', (_, answer) => {
    expect(kind('a.json', answer)).toBe('undecided');
    expect(kind('a.json', answer, noContentEvidence, true)).toBe('envelope');
    expect(kind('a.json', answer, raw, true)).toBe('raw');
  });

  test('with bare content is undecided until another file has decided', () => {
    const answer = { content: 'x' };
    expect(kind('a.json', answer)).toBe('undecided');
    expect(kind('a.json', answer, envelope)).toBe('envelope');
    expect(kind('a.json', answer, raw)).toBe('raw');
    expect(kind('a.json', answer, contradicted)).toBe('undecided');
  });

  test('that names another path is not an envelope for that reason', () => {
    expect(kind('a.json', { path: 'b.json', content: 'x' })).toBe('undecided');
  });

  test('for a non-JSON file is an envelope when it has the shape of one', () => {
    expect(kind('a.yaml', { content: 'port: 80' })).toBe('envelope');
    expect(kind('a.yaml', { content: 'port: 80' }, contradicted)).toBe('undecided');
  });

  test('is the file when text comes raw, even in the shape of an envelope', () => {
    expect(kind('a.json', { path: 'a.json', content: 'x' }, raw)).toBe('raw');
    expect(kind('a.json', { file: { content: 'x' } }, raw)).toBe('raw');
    expect(kind('logo.png', { path: 'logo.png', content: 'iVBO', encoding: 'base64' }, raw)).toBe(
      'envelope',
    );
  });

  test('with success: false is a refusal when it cannot be the file', () => {
    const answer = { success: false, message: 'locked' };
    expect(kind('a.yaml', answer)).toBe('refusal');
    expect(kind('a.json', answer, envelope)).toBe('refusal');
    expect(kind('a.json', answer, raw)).toBe('raw');
    expect(kind('a.json', answer)).toBe('undecided');
  });
});

describe('the evidence of an answer', () => {
  const learn = (path: string, answer: string | Buffer, habit = noContentEvidence) =>
    updateContentEvidence(path, Buffer.from(answer), habit);

  test('text that is not JSON proves raw answers', () => {
    expect(learn('a.yaml', 'port: 80')).toEqual(raw);
    expect(learn('a.json', '[1]')).toEqual(raw);
  });

  test('an envelope around a non-JSON file proves envelopes', () => {
    expect(learn('a.yaml', '{"content":"port: 80"}')).toEqual(envelope);
    expect(learn('a.yaml', '{"content":"port: 80"}', raw)).toEqual(raw);
  });

  test.each([
    ['a JSON file', 'a.json', '{"content":"x"}'],
    ['a JSON file that is no envelope', 'a.json', '{"beta":true}'],
    ['an empty file', 'a.yaml', ''],
    ['what is no text', 'logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0])],
  ])('%s proves nothing', (_, path, answer) => {
    expect(learn(path, answer)).toEqual(noContentEvidence);
    expect(learn(path, answer, envelope)).toEqual(envelope);
  });
});

describe('the content of an envelope', () => {
  test.each([[undefined], ['utf-8'], ['UTF8'], ['text'], ['']])(
    'in encoding %j is its text',
    (encoding) => {
      expect(decodeContent('grün', encoding)).toEqual(Buffer.from('grün'));
    },
  );

  test('in base64 is decoded, also with line breaks and without padding', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const base64 = Buffer.from(bytes).toString('base64');
        const lines = base64.replace(/.{10}/g, '$&\r\n');
        for (const text of [base64, lines, base64.replace(/=+$/, '')]) {
          expect(decodeContent(text, 'base64')).toEqual(Buffer.from(bytes));
        }
      }),
    );
  });

  test('that does not match its encoding is rejected', () => {
    expect(decodeContent('not base64!', 'base64')).toBeUndefined();
    expect(decodeContent('x', 'rot13')).toBeUndefined();
  });
});

describe('text', () => {
  test('is decoded exactly', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(text.isWellFormed() && !text.includes('\0'));
        expect(decodeText(Buffer.from(text))).toBe(text);
      }),
    );
    expect(decodeText(Buffer.from('\uFEFFa'))).toBe('\uFEFFa');
  });

  test('excludes invalid UTF-8 and NUL', () => {
    expect(decodeText(Buffer.from([0xff, 0xfe]))).toBeUndefined();
    expect(decodeText(Buffer.from('a\0b'))).toBeUndefined();
  });
});

test.each([
  ['a.yaml', true],
  ['deep/Dockerfile', true],
  ['.env', true],
  ['app.MD', true],
  ['a.json', false],
  ['a.json5', false],
  ['.babelrc', false],
  ['yaml', false],
  ['composer.lock', false],
  ['folder.yaml/state', false],
])('the name %s rules out JSON: %j', (path, expected) => {
  expect(isNonJsonPath(path)).toBe(expected);
});

test('no answer makes the classification throw', () => {
  const answer = fc.oneof(fc.json(), anyText);
  const habit = fc.record({ raw: fc.boolean(), envelope: fc.boolean() });
  fc.assert(
    fc.property(fc.constantFrom('a.json', 'a.yaml'), answer, habit, (path, text, known) => {
      const bytes = Buffer.from(text);
      expect(classifyContent(path, bytes, known).kind).toBeTypeOf('string');
      const learned = updateContentEvidence(path, bytes, known);
      expect(learned.raw || !known.raw).toBe(true);
    }),
    { numRuns: 500 },
  );
});
