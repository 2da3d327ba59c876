import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { render } from 'ink';
import { expect, test } from 'vitest';
import { temporaryKept } from '../support/temporary-state.ts';
import { createClient } from '../../source/client/client.ts';
import { type KnownProfile, skeletonRows } from '../../source/start/skeleton.ts';
import { createDeck } from '../../source/store/deck/create-deck.ts';
import { hostStartText, type Profile } from '../../source/store/deck/profile.ts';
import { createScreenStore } from '../../source/store/deck/screen/screen.ts';
import { App } from '../../source/view/shell/app.tsx';
import { ThemeContext, DeckContext, GlyphsContext } from '../../source/view/parts/context.ts';
import { lineText, styledLine } from '../../source/view/ink/styled-line.ts';
import { isSplit } from '../../source/view/shell/layout.ts';
import { asciiGlyphs, type Glyphs, unicodeGlyphs } from '../../source/view/text/glyphs.ts';
import { FakeOutput } from '../terminal/fake-terminal.ts';
import { themeOf } from '../support/themes.ts';

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The rows of the console's first frame, before anything was fetched. */
async function firstFrame(profile: Profile, glyphs: Glyphs, size: Size): Promise<string[]> {
  const deck = createDeck({
    client: createClient({ baseUrl: 'http://127.0.0.1:1', token: 'none' }),
    profile,
    clock: { now: () => 0, after: () => () => {} },
    random: () => 0,
    screen: createScreenStore(isSplit(size) ? {} : { focus: 'main' }),
    openAtStart: undefined,
    onOpen() {},
    kept: temporaryKept(),
  });
  const stdout = Object.assign(new FakeOutput(), size);
  const app = render(
    <DeckContext value={deck}>
      <GlyphsContext value={glyphs}>
        <ThemeContext value={themeOf('auto', '16')}>
          <App />
        </ThemeContext>
      </GlyphsContext>
    </DeckContext>,
    { stdout: stdout.asStream(), debug: true, patchConsole: false },
  );
  const frame = stdout.written;
  app.unmount();
  await app.waitUntilExit();
  return frame.split('\n');
}

/** Rows with their styles written in one way, whoever wrote them. */
function normal(rows: readonly string[]): readonly string[] {
  return rows.map((row) => lineText(styledLine(row)));
}

const profile: KnownProfile = {
  name: 'api.example.com',
  production: false,
  host: 'api.example.com',
  wallet: undefined,
};

async function expectSame(known: KnownProfile, glyphs: Glyphs, size: Size): Promise<void> {
  const rows = skeletonRows({ ...size, glyphs, colours: true, profile: known });
  expect(normal(rows)).toEqual(normal(await firstFrame(known, glyphs, size)));
}

test.each([
  [80, 24],
  [40, 10],
  [41, 12],
  [52, 10],
  [109, 40],
  [110, 20],
  [120, 36],
  [160, 50],
  [211, 61],
  [39, 9],
])('the skeleton at %ix%i is the first frame', async (columns, rows) => {
  await expectSame(profile, unicodeGlyphs, { columns, rows });
});

test('the skeleton is the first frame at any size, for any profile', async () => {
  const name = fc.stringMatching(/^[a-z][a-z.-]{0,60}$/);
  const known = fc.record({
    name,
    production: fc.boolean(),
    host: name,
    wallet: fc.option(fc.stringMatching(/^0x[0-9a-f]{1,40}$/), { nil: undefined }),
  });
  const size = fc.record({
    columns: fc.integer({ min: 40, max: 220 }),
    rows: fc.integer({ min: 10, max: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(known, fc.constantFrom(asciiGlyphs, unicodeGlyphs), size, expectSame),
    { numRuns: 40 },
  );
});

test.each([
  [40, 10],
  [80, 24],
  [120, 36],
  [200, 50],
])(
  'at %ix%i it says where the first frame does that the host is being started',
  async (columns, rows) => {
    for (const glyphs of [asciiGlyphs, unicodeGlyphs]) {
      const size = { columns, rows };
      const notice = hostStartText(glyphs.ellipsis);
      const skeleton = skeletonRows({ ...size, glyphs, colours: false, profile, notice });
      const frame = await firstFrame({ ...profile, isHostNew: true }, glyphs, size);
      expect(skeleton).toEqual(frame.map((row) => stripVTControlCharacters(row)));
      expect(skeleton.filter((row) => row.includes(notice))).toHaveLength(1);
    }
  },
);

test('without colours it has none', () => {
  const rows = skeletonRows({
    columns: 120,
    rows: 36,
    glyphs: unicodeGlyphs,
    colours: false,
    profile,
  });
  expect(rows).toEqual(rows.map((row) => stripVTControlCharacters(row)));
});

test('of a service that is not known row 1 says nothing', () => {
  const options = { columns: 80, rows: 24, glyphs: unicodeGlyphs, colours: true };
  const [first, ...rest] = skeletonRows({ ...options, profile: undefined });
  expect(first).toBe('');
  expect(rest).toEqual(skeletonRows({ ...options, profile }).slice(1));
});

test('where the configuration binds keys it names none', () => {
  const options = { columns: 80, rows: 24, glyphs: unicodeGlyphs, colours: true, profile };
  const rows = skeletonRows({ ...options, hasOwnKeys: true });
  expect(rows).toEqual([...skeletonRows(options).slice(0, -1), '']);
});
