import { describe, expect, it } from 'vitest';
import { approvalOf } from '../../../source/commands/sync/sync-approval.ts';

const approval = (
  updates: number,
  deletes: number,
  more: { readonly watches?: boolean; readonly yes?: boolean; readonly maxDelete?: number } = {},
) =>
  approvalOf({
    plan: {
      updates: Array.from({ length: updates }, (_, index) => ({
        path: `u${index}`,
        content: { hash: '', size: 0 },
      })),
      deletes: Array.from({ length: deletes }, (_, index) => ({
        path: `d${index}`,
        clearsWay: false,
      })),
    },
    ends: 'site to shop/web',
    watches: more.watches ?? false,
    yes: more.yes ?? false,
    maxDelete: more.maxDelete,
  });

describe('a plan', () => {
  it('that only creates needs no yes, unless it goes on', () => {
    expect(approval(0, 0)).toEqual({ kind: 'approved' });
    expect(approval(0, 0, { watches: true })).toMatchObject({
      kind: 'ask',
      question: {
        facts: ['The sync of site to shop/web sends every change until it is ended.'],
        question: 'Start?',
      },
    });
  });

  it('that overwrites or deletes is confirmed', () => {
    expect(approval(2, 1)).toMatchObject({
      kind: 'ask',
      question: { facts: ['The sync of site to shop/web overwrites 2 files, deletes 1 file.'] },
    });
    expect(approval(0, 20)).toMatchObject({ kind: 'ask', question: { typed: undefined } });
  });

  it('with many deletions wants their number, typed or as --max-delete', () => {
    expect(approval(0, 21)).toMatchObject({ kind: 'ask', question: { typed: '21' } });
    expect(approval(0, 21, { maxDelete: 21 })).toMatchObject({ question: { typed: undefined } });
    expect(approval(0, 21, { maxDelete: 20 })).toMatchObject({
      kind: 'refused',
      problem: { exit: 2, sentence: '21 files would be deleted, more than 20.' },
    });
    expect(approval(0, 1, { maxDelete: 0 })).toMatchObject({ kind: 'refused' });
    expect(approval(0, 21, { yes: true })).toMatchObject({
      kind: 'refused',
      problem: { next: 'Nothing was sent. --max-delete 21 allows it.' },
    });
    expect(approval(0, 20, { yes: true })).toMatchObject({ kind: 'ask' });
  });
});
