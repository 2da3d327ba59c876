import { describe, expect, it } from 'vitest';
import { type Evidence, type FileEvidence, judge } from './judge.ts';

/** A file that had these texts, each seen at 1000 times its position. */
function file(texts: readonly string[], more: Partial<FileEvidence> = {}): FileEvidence {
  return {
    path: 'a.txt',
    states: texts.map((text, position) => ({ text, seenAt: position * 1000 })),
    asked: [],
    saved: undefined,
    stored: texts[0] ?? '',
    draft: undefined,
    ...more,
  };
}

function broken(files: readonly FileEvidence[], more: Partial<Evidence> = {}): readonly string[] {
  const drafts = files.filter(({ draft }) => draft !== undefined).length;
  const evidence: Evidence = {
    files,
    killedAt: 10_000,
    grace: 1000,
    sent: [],
    savesSeen: 0,
    offeredRestart: false,
    offeredDrafts: drafts,
    sentUnasked: 0,
    ...more,
  };
  return judge(evidence).broken;
}

const texts = ['base', 'one', 'two', 'three'];
const save = { kind: 'save' } as const;
const restart = { kind: 'restart' } as const;

describe('a save', () => {
  it('that was seen is on the service, or one that was asked for after it', () => {
    const asked = [1, 2];
    for (const stored of ['one', 'two']) {
      expect(broken([file(texts, { asked, saved: 1, stored, draft: 'three' })])).toEqual([]);
    }
    const lost = file(texts, { asked, saved: 2, stored: 'one', draft: 'three' });
    expect(broken([lost])).toEqual([expect.stringContaining('not on the service')]);
  });

  it('that was only asked for may be there or not; what was never asked for may not', () => {
    for (const stored of ['base', 'one']) {
      expect(broken([file(texts, { asked: [1], stored, draft: 'three' })])).toEqual([]);
    }
    expect(broken([file(texts, { asked: [1], stored: 'two', draft: 'three' })])).toHaveLength(1);
  });
});

describe('what was typed', () => {
  it('a second before the kill is in the draft or on the service', () => {
    expect(broken([file(texts)])).toEqual([expect.stringContaining('is lost: "three"')]);
    expect(broken([file(texts, { draft: 'two' })])).toEqual([
      expect.stringContaining('lacks what was typed: "two" instead of "three"'),
    ]);
    expect(broken([file(texts, { asked: [3], stored: 'three' })])).toEqual([]);
  });

  it('later, or without having been seen, may be lost', () => {
    expect(broken([file(texts, { draft: 'two' })], { killedAt: 3500 })).toEqual([]);
    const unseen = [...file(['base', 'one']).states, { text: 'two', seenAt: undefined }];
    expect(broken([file([], { states: unseen, stored: 'base', draft: 'one' })])).toEqual([]);
  });

  it('up to the end is kept where the program could end by itself', () => {
    const late = [file(texts, { draft: 'two' })];
    expect(broken(late, { killedAt: 3500, grace: 0 })).toHaveLength(1);
  });

  it('is kept as it was, and not as it was before the save', () => {
    expect(broken([file(texts, { draft: 'threee' })])).toEqual([
      expect.stringContaining('never typed'),
    ]);
    const older = file(texts, { asked: [3], saved: 3, stored: 'three', draft: 'two' });
    expect(broken([older])).toEqual([expect.stringContaining('older than what is saved')]);
  });
});

describe('a restart', () => {
  it('is sent or offered for each save that was seen', () => {
    const neither = [expect.stringContaining('neither sent nor offered')];
    expect(broken([], { sent: [save], savesSeen: 1 })).toEqual(neither);
    expect(broken([], { sent: [save, restart, save], savesSeen: 2 })).toEqual(neither);
    expect(broken([], { sent: [save], savesSeen: 1, offeredRestart: true })).toEqual([]);
    expect(broken([], { sent: [save, restart], savesSeen: 1 })).toEqual([]);
    expect(broken([], { sent: [save], savesSeen: 0 })).toEqual([]);
  });

  it('is never sent twice for one change, nor offered when it was seen to be accepted', () => {
    expect(broken([], { sent: [save, restart, restart], savesSeen: 1 })).toHaveLength(1);
    expect(broken([], { sent: [save, restart, save, restart], savesSeen: 2 })).toEqual([]);
    const accepted = { ...restart, accepted: true };
    expect(broken([], { sent: [save, accepted], savesSeen: 1, offeredRestart: true })).toHaveLength(
      1,
    );
    expect(broken([], { sent: [save, restart], savesSeen: 1, offeredRestart: true })).toEqual([]);
  });
});

it('the next start offers every draft and sends nothing by itself', () => {
  const draft = [file(texts, { draft: 'three' })];
  expect(broken(draft, { offeredDrafts: 0 })).toEqual(['0 drafts offered of 1']);
  expect(broken(draft, { sentUnasked: 1 })).toHaveLength(1);
});
