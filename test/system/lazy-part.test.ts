import { expect, test, vi } from 'vitest';
import {
  earlyPart,
  lazyPart,
  loadEarlyParts,
  loadedOrNone,
  PartError,
} from '../../source/system/lazy-part.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

test('a part is loaded once, also by two at the same time', async () => {
  const load = vi.fn(async () => ({ name: 'part' }));
  const part = lazyPart(load);
  expect(load).not.toHaveBeenCalled();
  const [first, second] = await Promise.all([part(), part()]);
  expect(first).toBe(second);
  expect(await part()).toBe(first);
  expect(load).toHaveBeenCalledTimes(1);
});

test.each([
  ['EMFILE', "Can't load a part of hostdeck: too many open files. Try again."],
  ['ENFILE', "Can't load a part of hostdeck: too many open files. Try again."],
  ['EIO', "Can't load a part of hostdeck: the disk failed. Try again."],
  ['EBUSY', "Can't load a part of hostdeck: error EBUSY. Try again."],
  ['ERR_MODULE_NOT_FOUND', 'hostdeck was updated on this machine. Quit and start it again.'],
  ['ENOENT', 'hostdeck was updated on this machine. Quit and start it again.'],
])('a part that fails with %s says what to do, and is tried again', async (code, sentence) => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(failure(code));
  load.mockResolvedValue('loaded');
  const part = lazyPart(load);
  await expect(part()).rejects.toThrow(new PartError(failure(code)));
  await expect(lazyPart(() => Promise.reject(failure(code)))()).rejects.toThrow(sentence);
  expect(await part()).toBe('loaded');
});

test('a file of another version counts as an update', async () => {
  const part = lazyPart(() => Promise.reject(new SyntaxError('no export named a')));
  await expect(part()).rejects.toThrow('hostdeck was updated on this machine.');
});

test('a defect of a part stays what it is', async () => {
  const defect = new TypeError('undefined is not a function');
  const part = lazyPart(() => Promise.reject(defect));
  await expect(part()).rejects.toBe(defect);
  await expect(loadedOrNone(part)).rejects.toBe(defect);
});

test('a part that can be done without is undefined when it fails', async () => {
  expect(await loadedOrNone(lazyPart(() => Promise.reject(failure('EMFILE'))))).toBeUndefined();
  expect(await loadedOrNone(lazyPart(async () => 1))).toBe(1);
});

test('early parts are loaded one a turn, those that they declare too, and failed ones later', async () => {
  const loaded: string[] = [];
  let hasDescriptors = false;
  earlyPart(async () => {
    loaded.push('first');
    earlyPart(async () => loaded.push('declared by the first'));
  });
  const second = earlyPart(async () => {
    if (!hasDescriptors) throw failure('EMFILE');
    loaded.push('second');
  });
  const turn = vi.fn(async () => {});
  expect(await loadEarlyParts(turn)).toBe(false);
  expect(loaded).toEqual(['first', 'declared by the first']);
  expect(turn.mock.calls.length).toBeGreaterThanOrEqual(3);
  hasDescriptors = true;
  expect(await loadEarlyParts(turn)).toBe(true);
  expect(loaded.at(-1)).toBe('second');
  await second();
  expect(loaded).toHaveLength(3);
});
