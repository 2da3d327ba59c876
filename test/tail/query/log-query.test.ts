import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineMatcher, parseLineQuery } from '../../../source/tail/query/log-query.ts';
import { longLine, realLogs } from '../../support/real-logs.ts';

function parse(text: string, regex = false): LineMatcher {
  const result = parseLineQuery({ text, regex });
  if (!result.ok) throw new Error(result.error.sentence);
  return result.value;
}

function problem(text: string) {
  const result = parseLineQuery({ text, regex: true });
  return result.ok ? undefined : result.error;
}

function matches(query: string, text: string, service?: string, regex = false): boolean {
  return parse(query, regex).matches(text, service);
}

/** The texts of the spans. */
function marked(query: string, text: string, regex = false): readonly string[] {
  return parse(query, regex)
    .spans(text)
    .map(([from, to]) => text.slice(from, to));
}

describe('a line query', () => {
  it('ignores case unless the text has an upper-case letter', () => {
    expect(matches('timeout', 'GET Timeout after 800ms')).toBe(true);
    expect(matches('Timeout', 'GET Timeout after 800ms')).toBe(true);
    expect(matches('Timeout', 'GET timeout after 800ms')).toBe(false);
    expect(matches('größe', 'GRÖßE 3')).toBe(true);
    expect(matches('Größe', 'GRÖßE 3')).toBe(false);
  });

  it('ignores upper-case letters in escapes of an expression', () => {
    expect(matches(String.raw`pay\S\W\D\B`, 'PAY: -x', undefined, true)).toBe(false);
    expect(matches(String.raw`pay\S`, 'PAY:', undefined, true)).toBe(true);
    expect(matches(String.raw`\p{Lu}x`, 'ÄX', undefined, true)).toBe(true);
    expect(matches(String.raw`\u004fk`, 'OK', undefined, true)).toBe(true);
    expect(matches('[A-Z]x', 'ax', undefined, true)).toBe(false);
  });

  it('treats every character of a text literally', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 12 });
    fc.assert(
      fc.property(texts, texts, texts, (before, text, after) => {
        fc.pre(text !== '' && !/^(?:!|\\!)|^!?(?:level|service):/.test(text));
        const test = parse(text);
        expect(test.isCheap).toBe(true);
        expect(test.matches(before + text + after, undefined)).toBe(true);
        expect(test.spans(before + text + after)).not.toEqual([]);
      }),
    );
  });

  it('finds a text however its characters are composed', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'é', 'e', 'ế', 'ǘ', '\u0301', '\u0323', 'ｶﾞ', 'が', '한', 'Å', 'ñ'),
      minLength: 1,
      maxLength: 5,
    });
    const form = fc.constantFrom('NFC', 'NFD');
    fc.assert(
      fc.property(text, form, form, fc.boolean(), (written, typedForm, form, regex) => {
        const typed = written.normalize(typedForm).replace(/^\p{M}+/u, '');
        fc.pre(typed !== '');
        const line = `1 ${typed.normalize(form)} 2`;
        expect(matches(typed, line, undefined, regex)).toBe(true);
        expect(marked(typed, line, regex)).not.toEqual([]);
      }),
    );
    expect(matches('café', 'un cafe\u0301')).toBe(true);
    expect(matches('cafe\u0301', 'un CAFÉ')).toBe(true);
    expect(matches('ca(f|v)é+s', 'cafe\u0301s', undefined, true)).toBe(true);
    expect(matches('v\u1ebf', 'v\u00ea\u0301')).toBe(true);
    expect(matches('name=café', 'name=cafe\u0301')).toBe(true);
    expect(matches('caffé', 'cafe\u0301')).toBe(false);
    expect(marked('é', 'e\u0301')).toEqual(['e\u0301']);
  });

  it('disagrees with its inversion on every line', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'B', 'é', ' ', '.', '😀'), maxLength: 6 });
    fc.assert(
      fc.property(text, text, fc.boolean(), (query, line, regex) => {
        fc.pre(query !== '');
        expect(matches(`!${query}`, line, undefined, regex)).toBe(
          !matches(query, line, undefined, regex),
        );
        expect(parse(`!${query}`, regex).spans(line)).toEqual([]);
      }),
    );
  });

  it('matches a literal exclamation mark after a backslash', () => {
    for (const regex of [false, true]) {
      expect(matches(String.raw`\!x`, 'a!x', undefined, regex)).toBe(true);
      expect(matches(String.raw`\!x`, 'ax', undefined, regex)).toBe(false);
      expect(matches(String.raw`!\!x`, 'ax', undefined, regex)).toBe(true);
    }
    expect(matches('a!x', 'a!x')).toBe(true);
  });

  it('matches a level: warnings and worse, or errors', () => {
    const lines = ['WARN pay slow', 'ERROR pay failed', 'pay ok'];
    const passing = (query: string) => lines.filter((line) => matches(query, line));
    expect(passing('level:warn')).toEqual([lines[0], lines[1]]);
    expect(passing('level:warning')).toEqual([lines[0], lines[1]]);
    expect(passing('level:error')).toEqual([lines[1]]);
    expect(passing('level:e')).toEqual([lines[1]]);
    expect(passing('!level:error')).toEqual([lines[0], lines[2]]);
    expect(passing('level:')).toEqual(lines);
    expect(passing('!level:error level:warn')).toEqual([lines[0]]);
    expect(passing('level:warn !failed')).toEqual([lines[0]]);
  });

  it('names an unknown level', () => {
    expect(parseLineQuery({ text: 'level:loud', regex: false })).toEqual({
      ok: false,
      error: {
        sentence: 'Unknown level: loud.',
        next: 'Use level:fatal, error, warn, info or debug.',
      },
    });
  });

  it('matches a prefix of a name of the deployment in any case', () => {
    const of = (text: string, names?: readonly string[]): boolean => {
      const parsed = parseLineQuery({ text, regex: false });
      return parsed.ok && parsed.value.matches('paid', undefined, names);
    };
    expect(of('deployment:SHOP', ['shop-2', '77aa-1'])).toBe(true);
    expect(of('deployment:77', ['shop-2', '77aa-1'])).toBe(true);
    expect(of('deployment:2', ['shop-2', '77aa-1'])).toBe(false);
    expect(of('!deployment:shop', ['shop'])).toBe(false);
    expect(of('!deployment:shop', ['ledger'])).toBe(true);
    expect(of('deployment:shop paid', ['shop'])).toBe(true);
    expect(of('deployment:shop failed', ['shop'])).toBe(false);
    expect(of('deployment:shop')).toBe(false);
    expect(of('deployment:', ['shop'])).toBe(true);
  });

  it('matches a prefix of the service in any case', () => {
    expect(matches('service:WEB', 'x', 'web-1')).toBe(true);
    expect(matches('service:eb', 'x', 'web')).toBe(false);
    expect(matches('service:web', 'x')).toBe(false);
    expect(matches('!service:web', 'x')).toBe(true);
    expect(matches('service:web pay', 'pay', 'web')).toBe(true);
    expect(matches('service:web pay', 'pay', 'api')).toBe(false);
    expect(matches('service:', 'x')).toBe(true);
  });

  it('takes the text after the terms with all its spaces, including later terms', () => {
    expect(matches('level:warn  two', 'warn two')).toBe(true);
    expect(matches('level:warn  two', 'warn-two')).toBe(false);
    expect(matches('a level:warn', 'a level:warn b')).toBe(true);
    expect(matches(' x ', 'a x b')).toBe(true);
    expect(matches(' x ', 'ax b')).toBe(false);
  });

  it('names the problem of an invalid expression', () => {
    expect(problem('(a')).toEqual({
      sentence: 'Invalid regular expression: Unterminated group.',
      next: 'Tab switches to plain text.',
    });
    expect(problem('[z-a]')?.sentence).toContain('Range out of order');
    expect(problem('a**')?.sentence).toContain('Nothing to repeat');
    expect(problem('!(')?.sentence).toContain('Unterminated group');
    expect(problem('a{2,1}')?.sentence).toContain('numbers out of order');
  });

  it('never throws on any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (text, regex) => {
        const result = parseLineQuery({ text, regex });
        expect(result.ok || result.error.sentence.endsWith('.')).toBe(true);
      }),
    );
  });

  it('ignores an incomplete term', () => {
    for (const text of ['', '!', 'level:', '!service:', 'level: service: ']) {
      const test = parse(text);
      expect([text, test.hasCriteria, test.matches('x', undefined)]).toEqual([text, false, true]);
    }
  });

  it('is cheap without unbounded repetition', () => {
    const cheap = ['ERROR|WARN', 'time(out|d)', String.raw`pay\+`, '[+*]x', '^a.b$', 'colou?r'];
    const others = ['a*', 'a+b', '(a|b)?c', 'a{20}', 'a{2,}', String.raw`(a)\1`, 'x.*y'];
    expect(cheap.filter((text) => !parse(text, true).isCheap)).toEqual([]);
    expect(others.filter((text) => parse(text, true).isCheap)).toEqual([]);
  });

  it('is not cheap with more paths than a line has characters', () => {
    for (const part of ['a?', '(?:a|a)', '(a|aa)', '(?=a|a)']) {
      expect([part, parse(`${part.repeat(30)}b`, true).isCheap]).toEqual([part, false]);
    }
    const { prefilter } = parse(`${'(?:a|a)'.repeat(30)}b`, true);
    expect('a'.repeat(100).search(prefilter?.text ?? /b/)).toBe(-1);
    expect('a'.repeat(100).search(prefilter?.message ?? /b/)).toBe(-1);
  });

  it('is cheap with a single run of repetitions', () => {
    const cheap = ['"job":[0-9]*7', String.raw`took \d+?ms`, 'ab[0-9]+'];
    const others = [
      'ab1[0-9]*7[0-9]*8',
      '1[0-9]*7',
      'ab([0-9]+)',
      '(ab)+c',
      'ab.*7',
      'x|ab[0-9]*7',
    ];
    expect(cheap.filter((text) => !parse(text, true).isCheap)).toEqual([]);
    expect(others.filter((text) => parse(text, true).isCheap)).toEqual([]);
  });

  it('excludes lines that cannot match, and never one that does', () => {
    const test = parse('pay.*timeout [0-9]+', true);
    expect(test.mayMatch?.('GET /pay')).toBe(false);
    expect(test.mayMatch?.('PAY Timeout 1')).toBe(true);
    const choice = parse('(WARN|ERROR).*(shop|user)=[0-9]*77', true);
    expect(choice.mayMatch?.('INFO shop=77')).toBe(false);
    expect(choice.mayMatch?.('WARN: ')).toBe(true);
    expect(parse('(?:abc|de)?x*', true).mayMatch).toBeUndefined();
    expect(parse('foo.*?b+', true).mayMatch?.('b')).toBe(false);
    const parts = fc.constantFrom('ab', 'c', 'B', '.', '*', '+', '?', '|', '(', ')', '[bc]', '{2}');
    const more = fc.constantFrom(
      '(ab|c)',
      '(?:',
      'bc|',
      String.raw`\.`,
      String.raw`\w`,
      '^',
      '$',
      '{0,1}',
      '(?=',
      '(?!',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(parts, more), { minLength: 1, maxLength: 9 }),
        fc.array(fc.stringMatching(/^[abcB.]{0,8}$/), { maxLength: 30 }),
        (pattern, lines) => {
          const result = parseLineQuery({ text: `${pattern.join('')}x*`, regex: true });
          fc.pre(result.ok);
          const { value } = result;
          const lost = lines.filter(
            (line) =>
              value.matches(line, undefined) &&
              (value.mayMatch?.(line) === false ||
                (value.prefilter && !line.match(value.prefilter.text))),
          );
          expect(lost).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('the spans of a query', () => {
  it('cover every match in order', () => {
    expect(marked('ab', 'xabAByab')).toEqual(['ab', 'AB', 'ab']);
    expect(marked('a+', 'aa b aaa', true)).toEqual(['aa', 'aaa']);
    expect(marked('level:warn', 'warn: x')).toEqual([]);
    expect(marked('level:warn x', 'warn: x')).toEqual(['x']);
    expect(marked('x*', 'axxb', true)).toEqual(['xx']);
  });

  it('never split a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('😀', 'a', '👩‍🚀'), maxLength: 10 }),
        fc.constantFrom('.', '[^a]', 'a.', '..', '😀'),
        (text, pattern) => {
          let end = 0;
          for (const [from, to] of parse(pattern, true).spans(text)) {
            expect(from).toBeGreaterThanOrEqual(end);
            expect(text.slice(from, to).isWellFormed()).toBe(true);
            end = to;
          }
        },
      ),
    );
  });

  it('are limited in number and to the start of a line', () => {
    const long = 'ab'.repeat(500_000);
    const spans = parse('b').spans(long);
    expect(spans).toHaveLength(200);
    expect(parse('z').spans(`${'a'.repeat(9000)}z`)).toEqual([]);
    expect(matches('z', `${'a'.repeat(1_000_000)}z`)).toBe(true);
  });

  it('are those that overlap a wanted part, as in the whole text', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\x1b[31m', '世'), maxLength: 60 });
    fc.assert(
      fc.property(piece, fc.nat(80), fc.nat(80), (text, from, length) => {
        const to = from + length;
        const whole = parse('ab').spans(text);
        const overlapping = whole.filter(([first, end]) => first < to && end > from);
        const part = parse('ab').spans(text, from, to);
        expect(part.filter(([first, end]) => first < to && end > from)).toEqual(overlapping);
      }),
    );
    const long = `${'x'.repeat(500_000)}needle${'y'.repeat(500_000)}`;
    expect(parse('needle').spans(long, 499_990, 500_010)).toEqual([[500_000, 500_006]]);
    expect(parse('needle').spans(long, 500_005, 500_006)).toEqual([[500_000, 500_006]]);
    expect(parse('needle').spans(long, 0, Number.POSITIVE_INFINITY)).toHaveLength(1);
    expect(parse('needle').spans(long, 500_006, Number.POSITIVE_INFINITY)).toEqual([]);
  });
});

describe('a query of real logs', () => {
  const lines = [...realLogs.flatMap((log) => log.lines), longLine];
  const found = (query: string, regex = false) =>
    lines.filter((line) => matches(query, line, undefined, regex));

  it.each([
    ['완료', '주문이 완료되었습니다 번호=44 |'],
    ['caused by', 'Caused by: java.net.SocketTimeoutException: Read timed out'],
    ['caf\ufffd', 'latin1 caf\ufffd here'],
    ['\u7d42 end', longLine],
    ['^the NEXT', undefined],
  ])('finds %s in its only line', (query, line) => {
    expect(found(query)).toEqual(line === undefined ? [] : [line]);
  });

  it('ignores colour codes and marks the text between them', () => {
    for (const [query, regex] of [
      ['ERROR db: true', false],
      ['^ERROR db: .* plain$', true],
    ] as const) {
      const [line = '', ...others] = found(query, regex);
      expect(others).toEqual([]);
      const [[from, to] = [0, 0]] = parse(query, regex).spans(line);
      // eslint-disable-next-line no-control-regex
      expect(line.slice(from, to).replaceAll(/\x1b\[[\d;]*m/g, '')).toMatch(/^ERROR db: true/);
    }
    expect(found('208')).toEqual([]);
    expect(found('[31')).toEqual([]);
  });
});
