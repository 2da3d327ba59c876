import * as fc from 'fast-check';
import { beforeAll, afterAll, expect, test } from 'vitest';
import { aThirdOf, paneKeys } from '../support/bound-keys.ts';
import type { Session } from './harness.ts';
import { type Ground, openGround } from './walk-ground.ts';
import { waitFor } from '../support/wait-for.ts';

const hour = 3_600_000;
let ground: Ground;

beforeAll(async () => {
  ground = await openGround('our host', async (service) => {
    await service.give({ limit: 5, ends: 30 * 24 * hour });
    await service.deploy('shop');
  });
  await ground.session.waitFor('4 Logs shop');
});

afterAll(async () => {
  await ground[Symbol.asyncDispose]();
});

/**
 * The first three hand the terminal away. Esc ends what it is pressed in, and is told from a sequence
 * late. `^L` is pressed after every other one.
 */
const keys = paneKeys.filter((key) => !['ctrl+z', 'ctrl+o', 'P', 'escape', 'ctrl+l'].includes(key));

type Pane = 'Deployments' | 'Files' | 'Grants' | 'Logs';
const digits = { Deployments: '1', Files: '2', Grants: '3', Logs: '4' } as const;

/** Whether the keys go to this pane: no box, no prompt, nothing else in pane 4. */
function isOn(session: Session, pane: Pane): boolean {
  const { terminal, screen } = session;
  const [, tabs = ''] = terminal.rows;
  const isHere = tabs.includes(`[${digits[pane]} ${pane}`) && !screen.includes('┌');
  return isHere && !isPrompted(session);
}

const isPrompted = ({ terminal }: Session) =>
  /^([/&]|[A-Z][\w ]+:( |$))/.test(terminal.rows.at(-2) ?? '');

/** Whether the tabs are seen, and no prompt below them: what is in fullscreen has none. */
const isOnTabs = (session: Session) =>
  /^(\[|EDIT| 1 )/.test(session.terminal.rows[1] ?? '') && !isPrompted(session);

/**
 * Leaves whatever was opened and goes to a pane by its digit. Esc may lead a sequence, so `^C` leaves boxes
 * and prompts, and `q` views and full screen.
 */
async function goBack(session: Session, pane: Pane): Promise<void> {
  for (let tries = 0; !isOn(session, pane); tries += 1) {
    if (tries > 20) throw new Error(`not back on ${pane}:\n${session.screen}`);
    const { screen, terminal } = session;
    const isEdited = terminal.rows[1]?.startsWith('EDIT') === true;
    const isAsked = screen.includes('┌') || isPrompted(session);
    const onTabs = isOnTabs(session);
    const leave = isAsked ? 'ctrl+c' : onTabs && tries % 2 === 0 ? digits[pane] : 'q';
    session.press(isEdited && !isAsked && onTabs ? 'ctrl+q' : leave);
    await drawn(session);
  }
}

/** Waits until what was pressed is done and drawn: `^L`, which holds everywhere, comes after it. */
async function drawn(session: Session): Promise<void> {
  const isDrawn = session.waitForOutput((output) => {
    // Only what paints the whole screen begins so.
    const begin = output.indexOf('\x0f');
    return begin !== -1 && output.includes('\x1b[?2026l', begin);
  });
  session.press('ctrl+l');
  await isDrawn;
}

interface Context {
  readonly pane: Pane;
  /** Opens it from its pane. */
  readonly open: (session: Session) => Promise<void>;
}

/** Opens with keys; it is there when this is on the screen. */
const by =
  (pressed: readonly string[], text: string, shown: string | RegExp) =>
  async (session: Session): Promise<void> => {
    session.press(...pressed);
    await session.waitFor((now) => /┌|EDIT/.test(now.screen));
    if (text !== '') session.type(text);
    await session.waitFor(shown);
  };

const none = async (): Promise<void> => {};

const edited = by(['a'], 'web\r', 'EDIT new deployment');

const contexts: Readonly<Record<string, Context>> = {
  'the deployments': { pane: 'Deployments', open: none },
  'the files': { pane: 'Files', open: none },
  'the grants': { pane: 'Grants', open: none },
  'the log': { pane: 'Logs', open: none },
  'the box before one is closed, with its name': {
    pane: 'Deployments',
    open: by(['X'], 'shop', ': shop'),
  },
  'the box before a grant is revoked, with its ending': {
    pane: 'Grants',
    open: by(['X'], '9f3c', ': 9f3c'),
  },
  'the form of a grant': { pane: 'Grants', open: by(['a', 'ctrl+u'], 'Dana', ': new grant') },
  'its limit': { pane: 'Grants', open: by(['a', 'tab', 'ctrl+u'], '50', 'Limit   50') },
  'its safe button': { pane: 'Grants', open: by(['a', 'tab', 'tab', 'tab'], '', '[Cancel]') },
  'the palette': { pane: 'Deployments', open: by([':'], 'close', '> Close deployments') },
  'the editor of a definition': { pane: 'Deployments', open: edited },
  'the summary before a deployment is created': {
    pane: 'Deployments',
    async open(session) {
      await edited(session);
      session.press('ctrl+s');
      await session.waitFor('create web');
    },
  },
};

test.each(Object.entries(contexts))(
  'no single key and no paste changes anything on the host: %s',
  async (_, { pane, open }) => {
    const { session, proxy } = ground;
    for (const key of open === none ? keys : aThirdOf(keys)) {
      await goBack(session, pane);
      await open(session);
      session.press(key);
      await drawn(session);
    }
    await goBack(session, pane);
    await open(session);
    session.paste(fc.sample(pasted, 1)[0] ?? '');
    await drawn(session);
    await goBack(session, pane);
    // Earlier requests have passed the proxy when this one has.
    const { length } = proxy.passed;
    session.press('f5');
    await waitFor(() => expect(proxy.passed.length).toBeGreaterThan(length));
    expect(proxy.writes()).toEqual([]);
  },
);

const pasted = fc.string({ unit: 'grapheme-ascii', minLength: 10_000, maxLength: 10_000 });
