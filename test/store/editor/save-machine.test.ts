import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SaveChoice, SaveEvent } from '../../../source/store/editor/save-state.ts';
import { createSaveWorld, type Ending, type SaveWorldOptions } from './save-world.ts';

const lines = 'one\ntwo\nthree\nfour\nfive\n';

/** Opens a file, types, lets a stranger change it, then saves. */
function conflicting(
  options: { readonly mine?: string; readonly theirs?: string | undefined } = {},
) {
  const world = createSaveWorld({ opened: lines });
  world.editor = options.mine ?? lines.replace('one', 'ONE');
  world.remote = 'theirs' in options ? options.theirs : lines.replace('five', 'FIVE\nsix');
  world.save();
  world.finish();
  return world;
}

function saved(options: Partial<SaveWorldOptions> = {}, mine = 'mine\n') {
  const world = createSaveWorld({ opened: lines, ...options });
  world.editor = mine;
  world.save();
  return world;
}

describe('a save', () => {
  it('sends the typed text when the service has the opened one', () => {
    const world = saved();
    expect(world.underWay).toEqual({ kind: 'check' });
    world.finish();
    expect(world).toMatchObject({ remote: 'mine\n', puts: ['mine\n'], changes: 1 });
    expect(world.state).toMatchObject({
      phase: { kind: 'idle' },
      outcome: { kind: 'saved', sent: true },
      base: { text: 'mine\n', modifiedAt: '1970-01-01T00:00:01.000Z' },
    });
  });

  it('sends no request without changes', () => {
    const world = saved({}, lines);
    expect(world.underWay).toBeUndefined();
    expect(world.state.outcome).toEqual({ kind: 'unchanged' });
  });

  it('sends nothing when the service has the same text', () => {
    const world = conflicting({ mine: 'same\n', theirs: 'same\n' });
    expect(world).toMatchObject({ puts: [], changes: 0 });
    expect(world.state.outcome).toMatchObject({ kind: 'saved', sent: false });
  });

  it('sends nothing when the check fails', () => {
    const world = saved();
    world.end('refused');
    expect(world).toMatchObject({ editor: 'mine\n', puts: [] });
    expect(world.state).toMatchObject({ phase: { kind: 'idle' }, outcome: { kind: 'unchecked' } });
  });

  it('keeps the opened text as base after a refusal', () => {
    const world = saved();
    world.end();
    world.end('refused');
    expect(world.state).toMatchObject({ base: { text: lines }, outcome: { kind: 'failed' } });
    expect(world.changes).toBe(0);
  });

  it('saves the sent text while typing continues, and a second save sends the new text once', () => {
    const world = saved();
    world.end();
    world.editor = 'newer\n';
    world.save();
    world.editor = 'newest\n';
    world.save();
    world.editor = 'not saved\n';
    world.end();
    expect(world.state.base?.text).toBe('mine\n');
    world.finish();
    expect(world).toMatchObject({ puts: ['mine\n', 'newest\n'], editor: 'not saved\n' });
    expect(world.state).toMatchObject({ base: { text: 'newest\n' }, phase: { kind: 'idle' } });
  });

  it('does not send the same text for a second save', () => {
    const world = saved();
    world.save();
    world.finish();
    expect(world.puts).toEqual(['mine\n']);
    expect(world.state.outcome).toMatchObject({ kind: 'saved', sent: true });
  });
});

describe('a save without an answer', () => {
  it('counts as a change once the next save finds it on the service', () => {
    const world = saved();
    world.end();
    world.end('unknown, done');
    expect(world.state).toMatchObject({ outcome: { kind: 'unknown' }, base: { text: lines } });
    world.save();
    world.finish();
    expect(world).toMatchObject({ puts: ['mine\n'], changes: 1 });
    expect(world.state.outcome).toMatchObject({ kind: 'saved', sent: true });
  });

  it('is not a conflict when more was typed since', () => {
    const world = saved();
    world.end();
    world.end('unknown, done');
    world.editor = 'more\n';
    world.save();
    world.finish();
    expect(world).toMatchObject({ remote: 'more\n', puts: ['mine\n', 'more\n'], changes: 2 });
  });

  it('is sent again by the next save when it did not arrive', () => {
    const world = saved();
    world.end();
    world.end('unknown, not done');
    world.save();
    world.finish();
    expect(world).toMatchObject({ remote: 'mine\n', puts: ['mine\n', 'mine\n'], changes: 1 });
  });

  it('is checked even when the text was changed back', () => {
    const world = saved();
    world.end();
    world.end('unknown, done');
    world.editor = lines;
    world.save();
    world.finish();
    expect(world).toMatchObject({ remote: lines, puts: ['mine\n', lines] });
  });
});

describe('a conflict', () => {
  it('sends nothing and counts both sides', () => {
    const world = conflicting();
    expect(world.puts).toEqual([]);
    expect(world.state.phase).toMatchObject({
      kind: 'conflict',
      counts: {
        theirs: { added: 2, removed: 1 },
        mine: { added: 1, removed: 1 },
        touch: false,
      },
    });
  });

  it('is found again by the next save', () => {
    const world = conflicting();
    world.choose('keep editing');
    expect(world.state.phase).toEqual({ kind: 'idle' });
    world.save();
    world.finish();
    expect(world.state.phase.kind).toBe('conflict');
    expect(world.puts).toEqual([]);
  });

  it('is merged into the editor, and the next save sends it', () => {
    const world = conflicting();
    world.choose('merge');
    const both = 'ONE\ntwo\nthree\nfour\nFIVE\nsix\n';
    expect(world).toMatchObject({ editor: both, puts: [] });
    world.save();
    world.finish();
    expect(world.remote).toBe(both);
  });

  it('is not merged when the changes overlap', () => {
    const world = conflicting({ theirs: lines.replace('two', 'TWO') });
    world.choose('merge');
    expect(world.editor).toBe(lines.replace('one', 'ONE'));
    expect(world.state.phase).toMatchObject({ kind: 'conflict', counts: { touch: true } });
  });

  it('is overwritten only after theirs is in the trash and another check', () => {
    const world = conflicting();
    const theirs = world.remote;
    world.choose('overwrite');
    world.end('refused');
    expect(world.state).toMatchObject({
      phase: { kind: 'conflict' },
      outcome: { kind: 'not kept', whose: 'theirs' },
    });
    world.choose('overwrite');
    world.end();
    expect(world).toMatchObject({ keptTheirs: [theirs], puts: [], underWay: { kind: 'check' } });
    world.finish();
    expect(world).toMatchObject({ remote: lines.replace('one', 'ONE'), changes: 1 });
  });

  it('is a new conflict when the file changes before the overwrite', () => {
    const world = conflicting();
    world.choose('overwrite');
    world.end();
    world.remote = 'newer theirs\n';
    world.finish();
    expect(world.puts).toEqual([]);
    expect(world.state.phase).toMatchObject({
      kind: 'conflict',
      theirs: { text: 'newer theirs\n' },
    });
  });

  it('is not overwritten when the file is deleted before', () => {
    const world = conflicting();
    world.choose('overwrite');
    world.end();
    world.remote = undefined;
    world.finish();
    expect(world).toMatchObject({ remote: undefined, puts: [] });
    expect(world.state.outcome).toEqual({ kind: 'deleted' });
  });

  it('shows theirs only after mine is stored', () => {
    const world = conflicting();
    const mine = world.editor;
    world.choose('take theirs');
    world.end('refused');
    expect(world.editor).toBe(mine);
    world.choose('take theirs');
    world.end();
    expect(world).toMatchObject({ keptMine: [mine], editor: world.remote, puts: [] });
    world.save();
    expect(world.state.outcome).toEqual({ kind: 'unchanged' });
  });

  it('does not show theirs when more was typed while mine was being stored', () => {
    const world = conflicting();
    world.choose('take theirs');
    world.editor += 'more\n';
    world.end();
    expect(world.editor).toContain('more\n');
    expect(world.state).toMatchObject({
      phase: { kind: 'conflict' },
      outcome: { kind: 'typed on' },
    });
  });

  it('with a binary version is not merged, and leaves nothing to edit when theirs is used', () => {
    const world = conflicting({ theirs: 'no\0text' });
    expect(world.state.phase).toMatchObject({ kind: 'conflict', counts: undefined });
    world.choose('merge');
    expect(world.state.phase.kind).toBe('conflict');
    world.choose('take theirs');
    world.end();
    expect(world.state.phase).toEqual({ kind: 'left' });
    world.editor = 'x';
    world.save();
    expect(world.underWay).toBeUndefined();
  });
});

describe('a file that was deleted', () => {
  it('is created again only by choice at the next save', () => {
    const world = conflicting({ theirs: undefined });
    expect(world.state).toMatchObject({ phase: { kind: 'idle' }, outcome: { kind: 'deleted' } });
    world.save();
    world.finish();
    expect(world.state.phase).toEqual({ kind: 'offered' });
    expect(world.puts).toEqual([]);
    world.choose('create');
    world.finish();
    expect(world.remote).toBe(lines.replace('one', 'ONE'));
    expect(world.state).toMatchObject({
      remote: undefined,
      outcome: { kind: 'saved', sent: true },
    });
  });

  it('is offered again after the offer was declined, also without typing', () => {
    const world = conflicting({ theirs: undefined });
    world.editor = lines;
    for (const _ of [1, 2]) {
      world.save();
      world.finish();
      expect(world.state.phase).toEqual({ kind: 'offered' });
      world.choose('keep editing');
    }
    expect(world.puts).toEqual([]);
  });

  it('is a conflict when someone else created it again', () => {
    const world = conflicting({ theirs: undefined });
    world.save();
    world.finish();
    world.remote = 'anew\n';
    world.choose('create');
    world.finish();
    expect(world.puts).toEqual([]);
    expect(world.state.phase).toMatchObject({ kind: 'conflict', theirs: { text: 'anew\n' } });
  });

  it('between the check and the write is not created by an upload', () => {
    const world = saved();
    world.end();
    world.remote = undefined;
    world.finish();
    expect(world.remote).toBeUndefined();
    expect(world.state.outcome).toEqual({ kind: 'deleted' });
  });
});

describe('a new file', () => {
  it.each([true, false])('is made by a PUT or an upload', (putCreates) => {
    const world = saved({ opened: undefined, putCreates });
    world.finish();
    expect(world.remote).toBe('mine\n');
    expect(world.puts).toHaveLength(putCreates ? 1 : 2);
    expect(world.changes).toBe(1);
  });

  it('is a conflict when the path has a file meanwhile', () => {
    const world = saved({ opened: undefined });
    world.remote = 'theirs\n';
    world.finish();
    expect(world.puts).toEqual([]);
    expect(world.state.phase).toMatchObject({ kind: 'conflict', counts: { touch: true } });
  });

  it('may be empty', () => {
    const world = saved({ opened: undefined }, '');
    world.finish();
    expect(world.remote).toBe('');
  });
});

type Action =
  | {
      readonly kind: 'type' | 'type base' | 'type remote' | 'save' | 'finish' | 'look' | 'looked';
    }
  | { readonly kind: 'choose'; readonly choice: SaveChoice }
  | { readonly kind: 'end'; readonly ending: Ending }
  | {
      readonly kind: 'stranger';
      readonly does: 'edits' | 'deletes' | 'restores' | 'copies' | 'spoils';
    };

const choices = ['keep editing', 'merge', 'overwrite', 'take theirs', 'create'] as const;
const endings = ['done', 'done', 'refused', 'unknown, done', 'unknown, not done'] as const;
const doings = ['edits', 'edits', 'deletes', 'restores', 'copies', 'spoils'] as const;

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'type' } as const) },
  fc.constantFrom({ kind: 'type base' } as const, { kind: 'type remote' } as const),
  { weight: 4, arbitrary: fc.constant({ kind: 'save' } as const) },
  { weight: 3, arbitrary: fc.constant({ kind: 'finish' } as const) },
  { weight: 4, arbitrary: fc.constantFrom({ kind: 'look' }, { kind: 'looked' } as const) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('choose'), choice: fc.constantFrom(...choices) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('end'), ending: fc.constantFrom(...endings) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('stranger'), does: fc.constantFrom(...doings) }),
  },
);

/** A conflict and one choice, with another event between all steps. */
const anyConflict = fc
  .tuple(
    fc.constantFrom(...choices),
    fc.array(fc.option(anyAction), { minLength: 3, maxLength: 3 }),
  )
  .map(([choice, between]): readonly Action[] =>
    [
      { kind: 'type' } as const,
      { kind: 'stranger', does: 'edits' } as const,
      { kind: 'save' } as const,
      { kind: 'finish' } as const,
      { kind: 'choose', choice } as const,
      between[0],
      { kind: 'end', ending: 'done' } as const,
      between[1],
      { kind: 'end', ending: 'done' } as const,
      between[2],
      { kind: 'end', ending: 'done' } as const,
    ].filter((action) => action !== null && action !== undefined),
  );

const anyDay = fc
  .array(fc.oneof({ weight: 3, arbitrary: anyAction.map((action) => [action]) }, anyConflict), {
    maxLength: 25,
  })
  .map((parts) => parts.flat());

describe('after any sequence of events', () => {
  it('no write happens without a check that allows it, and no typed text is lost', () => {
    const world = fc.record({
      opened: fc.constantFrom(lines, lines, undefined),
      putCreates: fc.boolean(),
      actions: anyDay,
    });
    fc.assert(
      fc.property(world, ({ opened, putCreates, actions }) => {
        // The file of the last check, until a write has used it.
        let seen: { readonly text: string | undefined } | undefined;
        let chosen: SaveChoice | undefined;
        // Texts written here, or versions that the person chose.
        const known = new Set<string | undefined>([opened]);
        let typed = 0;

        const onStep: SaveWorldOptions['onStep'] = (event: SaveEvent, before, step) => {
          if (event.kind === 'save' && step.request) chosen = undefined;
          const canChoose = before.phase.kind === 'conflict' || before.phase.kind === 'offered';
          if (event.kind === 'choose' && canChoose) chosen = event.choice;
          if (event.kind === 'checked' && event.answer.kind !== 'failed') {
            seen = { text: life.remote };
          }
          if (event.kind === 'seen') {
            expect(step.request).toBeUndefined();
            expect(step.state.phase).toBe(before.phase);
            // Only an unedited text is replaced, and by no version from before a save.
            if (step.show !== undefined) expect(life.editor).toBe(before.base?.text);
            if (step.state.base !== before.base) {
              expect(event.base).toBe(before.base);
              known.add(step.state.base?.text);
            }
          } else if (step.show !== undefined) {
            if (step.state.outcome?.kind === 'merged') {
              const news = life.editor.split('\n').filter((line) => line.startsWith('typed'));
              const gone = news.filter((line) => !step.show?.text?.includes(`${line}\n`));
              expect(gone.filter((line) => !before.base?.text?.includes(`${line}\n`))).toEqual([]);
            } else {
              expect(life.keptMine).toContain(life.editor);
            }
            known.add(
              life.state.phase.kind === 'conflict' ? life.state.phase.theirs.text : undefined,
            );
            if (step.state.base !== before.base) known.add(step.state.base?.text);
          }
          const { request } = step;
          if (request?.kind === 'put') {
            expect(seen).toBeDefined();
            const text = seen?.text;
            if (text === undefined)
              expect(before.base === undefined || chosen === 'create').toBe(true);
            else expect(known.has(text) || life.keptTheirs.includes(text)).toBe(true);
            if (text !== undefined && text !== before.base?.text && text !== before.unsettled) {
              expect(chosen).toBe('overwrite');
            }
            known.add(request.text);
            seen = undefined;
            chosen = undefined;
          }
          if (request?.kind === 'upload') {
            expect(before.phase).toMatchObject({ kind: 'sending', creating: true, by: 'put' });
          }
          const { outcome } = step.state;
          if (outcome?.kind === 'saved' && outcome !== before.outcome) {
            expect(step.state.base?.text).toBe(life.remote);
            if (event.kind === 'checked') known.add(life.remote);
          }
          if (step.changedAt !== undefined) {
            expect(life.changes).toBeLessThan(life.puts.length);
          }
        };
        const life = createSaveWorld({ opened, putCreates, onStep });

        for (const action of actions) {
          const editorBefore = life.editor;
          switch (action.kind) {
            case 'type':
              typed += 1;
              life.editor =
                typed % 2 ? `typed ${typed}\n${life.editor}` : `${life.editor}typed ${typed}\n`;
              break;
            case 'type base':
              life.editor = life.state.base?.text ?? '';
              break;
            case 'type remote':
              life.editor = life.remote ?? '';
              break;
            case 'save':
              life.save();
              break;
            case 'finish':
              life.finish();
              break;
            case 'look':
              life.look();
              break;
            case 'looked':
              life.looked();
              break;
            case 'choose':
              life.choose(action.choice);
              break;
            case 'end':
              life.end(action.ending);
              break;
            case 'stranger': {
              typed += 1;
              const news = {
                edits: (life.remote ?? '').replace('three', `three\ntheirs ${typed}\n`),
                deletes: undefined,
                restores: opened,
                copies: life.editor,
                spoils: `\0 ${typed}`,
              };
              life.remote = news[action.does];
              break;
            }
          }
          if (action.kind === 'save') expect(life.editor).toBe(editorBefore);
        }
        // The save ends after any events: it never waits for a missing event.
        life.finish();
        expect(['idle', 'conflict', 'offered', 'left']).toContain(life.state.phase.kind);
        expect(life.state.queued).toBeUndefined();
      }),
      { numRuns: 600 },
    );
  });

  it('the text is saved when the service answers and no one else writes', () => {
    fc.assert(
      fc.property(fc.array(anyAction, { maxLength: 20 }), (actions) => {
        const world = createSaveWorld({ opened: lines });
        let typed = 0;
        for (const action of actions) {
          if (action.kind === 'type') world.editor += `${(typed += 1)}\n`;
          if (action.kind === 'save') world.save();
          if (action.kind === 'end') world.end(action.ending);
        }
        world.finish();
        world.save();
        world.finish();
        expect(world.remote).toBe(world.editor);
        expect(world.state.phase).toEqual({ kind: 'idle' });
      }),
    );
  });
});
