import { describe, expect, it } from 'vitest';
import { formatBytes } from '../../../source/store/files/file-size.ts';

describe('sizes', () => {
  it('are in units of a thousand with one decimal', () => {
    expect([0, 812, 999, 1000, 1234, 999_949, 999_950, 5.5e12].map(formatBytes)).toEqual([
      '0 B',
      '812 B',
      '999 B',
      '1.0 kB',
      '1.2 kB',
      '999.9 kB',
      '1.0 MB',
      '5.5 TB',
    ]);
  });
});
