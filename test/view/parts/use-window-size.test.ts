import { expect, it, vi } from 'vitest';
import { followSize } from '../../../source/view/parts/use-window-size.ts';
import { FakeOutput } from '../../terminal/fake-terminal.ts';

it('a terminal has one listener for all that follow its size', () => {
  const stdout = new FakeOutput();
  const followers = Array.from({ length: 20 }, () => vi.fn<() => void>());
  const ends = followers.map((changed) => followSize(stdout.asStream(), changed));
  expect(stdout.listenerCount('resize')).toBe(1);
  stdout.emit('resize');
  for (const changed of followers) expect(changed).toHaveBeenCalledOnce();
  ends[0]?.();
  stdout.emit('resize');
  expect(followers[0]).toHaveBeenCalledTimes(1);
  expect(followers[1]).toHaveBeenCalledTimes(2);
  for (const end of ends) end();
  expect(stdout.listenerCount('resize')).toBe(0);
});
