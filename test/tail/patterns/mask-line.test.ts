import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskLine } from '../../../source/tail/patterns/mask-line.ts';

describe('a masked line', () => {
  it.each([
    ['GET /shops/9973/orders?page=17 took 12ms', 'GET /shops/<#>/orders?page=<#> took <#>'],
    ['paid 12.50 of -3,000 (99%)', 'paid <#> of <#> (<#>%)'],
    ['from 10.0.0.1:80 to 2607:f140:6000:8:c6b3:1ff:fecd:467f', 'from <#> to <#>'],
    ['link b4:75:0e:fa:ce:01 up', 'link <#> up'],
    ['order d6b7bd36-2943-beef-9235-fffdd89ea40e', 'order <#>'],
    ['commit 5d41402abc4b2a76 span=ab12f at 0x7fdcc9', 'commit <#> span=<#> at <#>'],
    ['utf8 over HTTP/1.1 on node-12', 'utf<#> over HTTP/<#> on node-<#>'],
  ])('has no number, id or address: %s', (line, masked) => {
    expect(maskLine(line)).toBe(masked);
  });

  it.each([
    '2026-01-02T03:04:05.678Z up',
    '2026-01-02 03:04:05,678 up',
    'Sun Dec 04 04:51:08 2005 up',
    'Dec  4 04:51:08 up',
    '04/Dec/2016:12:00:00 +0000 up',
  ])('has one mask for a date and time: %s', (line) => {
    expect(maskLine(line)).toBe('<#> up');
  });

  it('has one mask for numbers beside each other, however many they are', () => {
    expect(maskLine('speeds 1 2 3 rpm')).toBe('speeds <#> rpm');
    expect(maskLine('speeds 1 2 3 4 5 rpm')).toBe('speeds <#> rpm');
    expect(maskLine('page=3 200')).toBe('page=<#> <#>');
  });

  it('has the keys and values of a JSON record as tokens, and keeps its level', () => {
    expect(maskLine('{"level":50,"msg":"job done","job":7,"user":"ann"}')).toBe(
      '{"level": 50, "msg": "job done", "job": <#>, "user": "ann"}',
    );
  });

  it('has no colour codes and one blank between tokens', () => {
    expect(maskLine('  \u001b[31mERROR\u001b[0m\t pay   7 ')).toBe('ERROR pay <#>');
    expect(maskLine('')).toBe('');
  });

  it('takes marks that a line has for values', () => {
    expect(maskLine('a <*> b=<*>')).toBe('a <#> b=<#>');
  });

  it('is bounded', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc
        .array(
          fc.constantFrom('a', '7', 'f0', ' ', ':', '-', '.', '{"', '":', ',"', 'Jan', '\u001b'),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 3000 }), (text, times) => {
        const masked = maskLine(text.repeat(times));
        expect(masked.length).toBeLessThan(8000);
        expect(masked.split(' ').length).toBeLessThanOrEqual(100);
        expect(masked).not.toMatch(/^ | $| {2}/);
      }),
      { numRuns: 200 },
    );
  });
});
