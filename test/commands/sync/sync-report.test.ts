import { describe, expect, it } from 'vitest';
import { approvalOf } from '../../../source/commands/sync/sync-report.ts';

const approval = (
  updates: number,
  deletes: number,
  more: {
    readonly watch?: boolean;
    readonly yes?: boolean;
    readonly maxDelete?: number;
    readonly files?: number;
  } = {},
) =>
  approvalOf({
    items: [
      ...Array.from({ length: updates }, () => ({ action: 'update', path: 'u' }) as const),
      ...Array.from({ length: deletes }, () => ({ action: 'delete', path: 'd' }) as const),
    ],
    ends: 'site to shop/web',
    files: more.files ?? 100,
    flags: { watch: more.watch ?? false, 'max-delete': more.maxDelete },
    yes: more.yes ?? false,
  });

describe('a plan', () => {
  it('that only creates needs no yes, unless it goes on', () => {
    expect(approval(0, 0)).toBeUndefined();
    expect(approval(0, 0, { watch: true })).toMatchObject({
      facts: ['The sync of site to shop/web sends every change until it is ended.'],
      question: 'Start?',
    });
  });

  it('that overwrites or deletes is confirmed', () => {
    expect(approval(2, 1)).toMatchObject({
      facts: ['The sync of site to shop/web overwrites 2 files, deletes 1 file.'],
      question: 'Continue?',
    });
    expect(approval(0, 20)).toMatchObject({ typed: undefined });
    expect(approval(0, 20, { yes: true })).toMatchObject({ typed: undefined });
  });

  it('with many deletions wants their number, typed or as --max-delete', () => {
    expect(approval(0, 21)).toMatchObject({ typed: '21' });
    expect(approval(0, 21, { maxDelete: 21 })).toMatchObject({ typed: undefined });
    expect(approval(0, 21, { maxDelete: 20 })).toMatchObject({
      exit: 2,
      sentence: '21 files would be deleted, more than 20.',
    });
    expect(approval(0, 1, { maxDelete: 0 })).toMatchObject({ exit: 2 });
    expect(approval(0, 21, { yes: true })).toMatchObject({
      exit: 2,
      next: 'Nothing was sent. --max-delete 21 allows it.',
    });
    expect(approval(0, 21, { yes: true, maxDelete: 21 })).toMatchObject({ typed: undefined });
  });

  it('of a folder without files deletes only what is typed', () => {
    expect(approval(0, 1, { files: 0 })).toMatchObject({ typed: '1' });
    expect(approval(0, 5, { files: 0, yes: true, maxDelete: 9 })).toMatchObject({
      exit: 2,
      sentence: '5 files would be deleted, because the folder has none.',
    });
    expect(approval(0, 5, { files: 0, maxDelete: 4 })).toMatchObject({ exit: 2 });
    expect(approval(0, 0, { files: 0 })).toBeUndefined();
  });
});
