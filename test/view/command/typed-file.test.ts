import { describe, expect, it } from 'vitest';
import { datedFileName, findTypedFile } from '../../../source/view/command/typed-file.ts';

const present: Record<string, 'file' | 'folder'> = {
  '/srv/logs': 'folder',
  '/srv/old.log': 'file',
};

const local = {
  home: '/h/ann',
  resolve: (typed: string) =>
    (typed.startsWith('/') ? typed : `/srv/${typed}`).replace(/\/+/g, '/'),
  statusAt: async (place: string) => present[place] ?? 'nothing',
};

describe('the file of a prompt', () => {
  it.each([
    ['new.log', '/srv/new.log', 'nothing'],
    ['old.log', '/srv/old.log', 'file'],
    ['logs', '/srv/logs/shop.log', 'nothing'],
    ['later/', '/srv/later/shop.log', 'nothing'],
    ['~/a.log', '/h/ann/a.log', 'nothing'],
    ["'two words.log'", '/srv/two words.log', 'nothing'],
  ])('of the text %s is %s', async (text, file, status) => {
    expect(await findTypedFile(local, text, 'shop.log')).toEqual({ file, status });
  });

  it.each(['', 'a.log b.log'])('of the text "%s" is none', async (text) => {
    expect(await findTypedFile(local, text, 'shop.log')).toBeUndefined();
  });

  it('is named after the deployment and the minute', () => {
    const now = new Date(2026, 10, 21, 12, 3).getTime();
    const name = (deployment: string) => datedFileName(deployment, 'log', { now, fallback: 'log' });
    expect(name('shop')).toBe('shop-20261121-1203.log');
    expect(name('../a b/ü')).toBe('a-b-ü-20261121-1203.log');
    expect(name('..')).toBe('log-20261121-1203.log');
  });
});
