import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDrafts, type Draft, type DraftKeeper } from '../../../source/store/drafts/drafts.ts';
import {
  type WriteResult,
  type LocalPlace,
  placeKey,
} from '../../../source/store/drafts/places.ts';
import { createTestClock, settled } from '../../support/clock.ts';
import { waitFor } from '../../support/wait-for.ts';

const place = { deploymentId: 'd', service: 'web', path: 'config/app.yaml' };
const other = { ...place, path: 'other' };
const full = {
  ok: false,
  sentence: "Can't save the draft of app.yaml: no space left on this machine.",
} as const;

/** A keeper in memory; with `isManual` each write waits for the test. */
function createKeeper(options: { readonly isManual?: boolean } = {}) {
  const stored = new Map<string, Draft>();
  const waiting: ((result: WriteResult) => void)[] = [];
  let answer: WriteResult = { ok: true };
  let underWay = 0;
  let most = 0;
  const keeper: DraftKeeper = {
    list: () => Promise.resolve([...stored.values()]),
    read: (at) => Promise.resolve(stored.get(placeKey(at))),
    async write(draft) {
      underWay += 1;
      most = Math.max(most, underWay);
      const result = options.isManual
        ? await new Promise<WriteResult>((resolve) => waiting.push(resolve))
        : answer;
      underWay -= 1;
      const { text } = draft;
      const whole = typeof text === 'string' ? text : [...text.pieces()].join('');
      if (result.ok) stored.set(placeKey(draft), { ...draft, text: whole });
      return result;
    },
    remove(at) {
      stored.delete(placeKey(at));
      return Promise.resolve({ ok: true });
    },
  };
  return {
    keeper,
    stored,
    waiting,
    textOf: (at: LocalPlace) => stored.get(placeKey(at))?.text,
    mostAtOnce: () => most,
    answerWith(result: WriteResult) {
      answer = result;
    },
  };
}

function createFixture(options?: Parameters<typeof createKeeper>[0]) {
  const clock = createTestClock(0);
  const disk = createKeeper(options);
  const drafts = createDrafts({ keeper: disk.keeper, clock });
  const type = (text: string, at = place) => drafts.typed(at, () => ({ text, base: 'base' }));
  return { clock, disk, drafts, type, state: () => drafts.state.getState() };
}

describe('typed text', () => {
  it('is stored within a second of the first key while typing continues', async () => {
    const { clock, disk, type } = createFixture();
    for (let key = 0; key < 10; key += 1) {
      type(`${key}`);
      await clock.advance(100);
    }
    expect(Number(disk.textOf(place))).toBeGreaterThanOrEqual(7);
    await clock.advance(1000);
    expect([...disk.stored.values()]).toEqual([{ ...place, text: '9', base: 'base', at: 1600 }]);
  });

  it('is read once for each write, not for each key', async () => {
    const { clock, drafts } = createFixture();
    let reads = 0;
    const content = () => {
      reads += 1;
      return { text: '', base: undefined };
    };
    for (let key = 0; key < 5; key += 1) drafts.typed(place, content);
    expect(reads).toBe(0);
    await clock.advance(1000);
    expect(reads).toBe(1);
  });

  it('is listed as a draft at the first key, and the next key leaves the state unchanged', () => {
    const { state, type } = createFixture();
    type('a');
    const before = state();
    expect([...before.drafts.keys()]).toEqual([placeKey(place)]);
    type('b');
    expect(state()).toBe(before);
  });

  it('is written one write at a time for a file, concurrently for two files', async () => {
    const { clock, disk, drafts, type } = createFixture({ isManual: true });
    type('1');
    await clock.advance(1000);
    type('2');
    await clock.advance(1000);
    expect(disk.waiting).toHaveLength(1);
    type('else', other);
    await clock.advance(1000);
    expect(disk.waiting).toHaveLength(2);
    const flushed = drafts.flush();
    for (let count = 0; count < 3; count += 1) {
      disk.waiting[count]?.({ ok: true });
      await settled();
    }
    await flushed;
    expect([disk.textOf(place), disk.textOf(other)]).toEqual(['2', 'else']);
  });

  it('is written by a flush, which resolves after all writes', async () => {
    const { clock, disk, drafts, type } = createFixture();
    type('a');
    type('b', other);
    await drafts.flush();
    expect([disk.textOf(place), disk.textOf(other)]).toEqual(['a', 'b']);
    expect(clock.waiting()).toEqual([]);
  });

  it('can be read before it is stored', async () => {
    const { disk, drafts, type } = createFixture();
    type('new');
    expect(await drafts.read(place)).toMatchObject({ text: 'new', base: 'base' });
    await drafts.flush();
    expect(await drafts.read(place)).toEqual(disk.stored.get(placeKey(place)));
  });
});

describe('a full disk', () => {
  it('is reported until there is room, then the newest text is stored', async () => {
    const { clock, disk, drafts, state, type } = createFixture();
    disk.answerWith(full);
    type('1');
    await clock.advance(1000);
    expect([...state().failures.values()]).toEqual([full.sentence]);
    type('2');
    await drafts.flush();
    expect([...state().failures.values()]).toEqual([full.sentence]);
    disk.answerWith({ ok: true });
    await clock.advance(10_000);
    expect(disk.textOf(place)).toBe('2');
    expect(state().failures.size).toBe(0);
  });

  it('causes no retry after a stop', async () => {
    const { clock, drafts, type, disk, state } = createFixture();
    disk.answerWith(full);
    type('mine');
    await drafts.flush();
    drafts.stop();
    expect(clock.waiting()).toEqual([]);
    type('mine, too');
    await drafts.flush();
    expect(clock.waiting()).toEqual([]);
    expect(state().failures.size).toBe(1);
  });

  it('does not restore a text older than the newest', async () => {
    const { clock, disk, type } = createFixture({ isManual: true });
    type('1');
    await clock.advance(1000);
    type('2');
    disk.waiting[0]?.(full);
    await clock.advance(10_000);
    disk.waiting[1]?.({ ok: true });
    await settled();
    expect(disk.textOf(place)).toBe('2');
  });

  it('does not restore a text that was saved to the service', async () => {
    const { clock, disk, drafts, state, type } = createFixture({ isManual: true });
    type('1');
    await clock.advance(1000);
    const saved = drafts.saved(place);
    disk.waiting[0]?.(full);
    await saved;
    await clock.advance(20_000);
    expect(disk.waiting).toHaveLength(1);
    expect(state()).toEqual({ drafts: new Map(), failures: new Map() });
  });
});

describe('a file that is saved', () => {
  it('loses its draft, also during a write', async () => {
    const { clock, disk, drafts, state, type } = createFixture({ isManual: true });
    type('1');
    await clock.advance(1000);
    type('2');
    const saved = drafts.saved(place);
    disk.waiting[0]?.({ ok: true });
    await saved;
    await clock.advance(5000);
    expect(disk.stored.size).toBe(0);
    expect(state().drafts.size).toBe(0);
  });

  it('gets a new draft when text is typed during the save', async () => {
    const { disk, drafts, state, type } = createFixture();
    type('1');
    const saved = drafts.saved(place);
    type('2');
    await saved;
    expect(state().drafts.size).toBe(1);
    await drafts.flush();
    expect(disk.textOf(place)).toBe('2');
  });

  it('stays listed while another console has a draft of it', async () => {
    const { disk, drafts, state, type } = createFixture();
    type('1');
    await drafts.flush();
    const theirs = { ...place, text: 'theirs', base: undefined, at: 7 };
    disk.keeper.remove = async () => {
      disk.stored.set(placeKey(place), theirs);
      return { ok: true };
    };
    await drafts.saved(place);
    expect(state().drafts.get(placeKey(place))).toEqual({ ...place, at: 7 });
  });
});

it('loads the heads of earlier consoles, without texts', async () => {
  const { disk, drafts, state, type } = createFixture();
  disk.stored.set(placeKey(other), { ...other, text: 'old', base: undefined, at: 3 });
  type('1');
  await drafts.load();
  expect([...state().drafts.values()]).toEqual([
    { ...other, at: 3 },
    { ...place, at: 0 },
  ]);
});

it('keeps text typed after a save that waited for an earlier write', async () => {
  const { disk, drafts, type, state } = createFixture();
  type('before');
  void drafts.flush();
  void drafts.saved(place);
  type('after');
  await drafts.flush();
  await settled();
  expect(disk.textOf(place)).toBe('after');
  expect(state().drafts.size).toBe(1);
});

it('stores the newest text after any sequence of events', async () => {
  const step = fc.oneof(
    fc.constantFrom('type', 'save', 'flush', 'fail', 'mend').map((kind) => ({ kind, wait: 0 })),
    fc.nat({ max: 2000 }).map((wait) => ({ kind: 'wait', wait })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { clock, disk, drafts, state, type } = createFixture();
      let newest: string | undefined;
      for (const [index, { kind, wait }] of steps.entries()) {
        if (kind === 'type') type((newest = String(index)));
        if (kind === 'save') {
          newest = undefined;
          void drafts.saved(place);
        }
        if (kind === 'flush') void drafts.flush();
        if (kind === 'fail' || kind === 'mend')
          disk.answerWith(kind === 'fail' ? full : { ok: true });
        if (kind === 'wait') await clock.advance(wait);
      }
      disk.answerWith({ ok: true });
      await drafts.flush();
      await settled();
      expect(disk.textOf(place)).toBe(newest);
      expect(state().drafts.size).toBe(newest === undefined ? 0 : 1);
      expect(disk.mostAtOnce()).toBeLessThanOrEqual(1);
    }),
    { numRuns: 100 },
  );
});

describe('a moved file', () => {
  it('moves its draft with the newest text', async () => {
    const { disk, drafts, type, state } = createFixture();
    type('mine');
    await drafts.moved(place, other);
    expect(disk.textOf(place)).toBeUndefined();
    expect(disk.textOf(other)).toBe('mine');
    expect([...state().drafts.keys()]).toEqual([placeKey(other)]);
  });

  it('leaves its draft at the old path when the new path has a draft', async () => {
    const { drafts, type, disk } = createFixture();
    type('mine');
    type('theirs', other);
    await drafts.moved(place, other);
    await drafts.flush();
    expect(disk.textOf(place)).toBe('mine');
    expect(disk.textOf(other)).toBe('theirs');
  });

  it('leaves its draft at the old path when the write fails', async () => {
    const { drafts, type, disk } = createFixture();
    type('mine');
    await drafts.flush();
    disk.answerWith(full);
    await drafts.moved(place, other);
    expect(disk.textOf(place)).toBe('mine');
  });

  it('keeps text typed while its draft moves', async () => {
    const { clock, drafts, type, disk } = createFixture({ isManual: true });
    type('mine');
    const moving = drafts.moved(place, other);
    await waitFor(() => expect(disk.waiting).toHaveLength(1));
    type('mine, typed on');
    disk.waiting.shift()?.({ ok: true });
    await moving;
    void drafts.flush();
    await clock.advance(1000);
    for (const go of disk.waiting) go({ ok: true });
    await settled();
    expect(disk.textOf(place)).toBe('mine, typed on');
    expect(disk.textOf(other)).toBe('mine');
  });
});
