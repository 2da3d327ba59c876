import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  behindBreak,
  quoteForBash,
  readShellLine,
} from '../../../source/commands/completion/answer-completion.ts';

describe('a line', () => {
  it.each([
    ['hostdeck dep', ['hostdeck'], 'dep', ''],
    ['hostdeck  deployments ', ['hostdeck', 'deployments'], '', ''],
    [String.raw`hostdeck get my\ shop`, ['hostdeck', 'get'], 'my shop', ''],
    [`hostdeck get "my sh`, ['hostdeck', 'get'], 'my sh', '"'],
    [`hostdeck get 'it`, ['hostdeck', 'get'], 'it', "'"],
    [`hostdeck '' "a"b `, ['hostdeck', '', 'ab'], '', ''],
  ])('%s is read as bash reads it', (line, words, typed, quote) => {
    expect(readShellLine(line)).toMatchObject({ words, typed, quote });
  });
});

describe('a completed word', () => {
  const breaks = ' \t\n"\'><=;|&(:';

  it.each([
    ['hostdeck files get shop/web:con', 'shop/web:config/', 'config/'],
    ['hostdeck list --profile=pr', '--profile=prod', 'prod'],
    ['hostdeck deployments get my', 'my shop', String.raw`my\ shop`],
    ['hostdeck files get a:b/c', 'a:b/c:', 'b/c:'],
  ])('behind %s is cut where bash breaks', (text, candidate, written) => {
    const line = readShellLine(text);
    expect(behindBreak(quoteForBash(candidate, line.quote), line, breaks)).toBe(written);
  });

  it('is whole within quotes', () => {
    const line = readShellLine('hostdeck files get "shop/web:c');
    expect(behindBreak(quoteForBash('shop/web:c d', line.quote), line, breaks)).toBe(
      'shop/web:c d',
    );
  });
});

it('bash reads a quoted word as it is', () => {
  const word = fc.string({ minLength: 1 }).filter((text) => !/\p{Cc}/u.test(text));
  const random = fc.sample(fc.array(word, { minLength: 1, maxLength: 100 }), 5).flat();
  const words = ['~', '~root', 'a=~', 'a=b:~', 'a~', ...random];
  const script = `printf '%s\\n' ${words.map((text) => quoteForBash(text, '')).join(' ')}`;
  const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(printed).toBe(words.map((text) => `${text}\n`).join(''));
});

it('the words of a line are those that were quoted', () => {
  const word = fc.string({ minLength: 1 }).filter((text) => !/\p{Cc}/u.test(text));
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const line = words.map((text) => `${quoteForBash(text, '')} `).join('');
      expect(readShellLine(line).words).toEqual(words);
    }),
  );
});
