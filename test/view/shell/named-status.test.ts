import { expect, test } from 'vitest';
import { namedStatus } from '../../../source/view/shell/use-main-status.ts';
import { spansText } from '../../../source/view/text/fit.ts';
import { span } from '../../../source/view/text/line.ts';

test('the state of the log has its name beside the title of another view', () => {
  const named = (...texts: readonly string[]) =>
    spansText(namedStatus(texts.map((text) => span(text, 'busy'))));
  expect(named('PAUSED +2')).toBe('log PAUSED +2');
  expect(named('▁▂ ', 'live 4/s')).toBe('log ▁▂ live 4/s');
  expect(named('log lost, retry 2s')).toBe('log lost, retry 2s');
  expect(named('no stream, polling log')).toBe('no stream, polling log');
  expect(named()).toBe('');
});
