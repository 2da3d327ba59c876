import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDraftsFolder } from '../../source/disk/drafts-folder.ts';
import { createRestartJournal } from '../../source/disk/restart-journal.ts';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { environmentOf } from '../e2e/foreign-console.ts';
import { launch, type Session } from '../e2e/harness.ts';
import { Home } from '../e2e/harness-home.ts';
import { type CountedCall, countedCalls, faultEnvironment, type IoFault } from './failing-calls.ts';
import type { Judgement } from './judge.ts';

/** Judgement of a round, with the file operations that the console made. */
export interface IoRound extends Judgement {
  readonly calls: readonly CountedCall[];
}

const dist = path.resolve(import.meta.dirname, '../../dist');
/** A mark that no process has: ids are lower than this. */
const gone = Promise.resolve('4194305-0123456789ab');

/** Text of a draft that an earlier console left. */
const earlierText = 'earlier words\n';

/** The service, and what the person and earlier consoles have on this machine. */
interface Ground {
  readonly foreign: Foreign;
  readonly state: string;
  readonly draftOf: (name: string) => Promise<string>;
}

/** Prepares a service with two files, and a draft of one of them that an earlier console left. */
async function groundOf(foreign: Foreign, home: Home): Promise<Ground> {
  const state = path.join(home.env['XDG_STATE_HOME'] ?? '', 'hostdeck');
  const drafts = createDraftsFolder(state, foreign.baseUrl, gone);
  const placeOf = (name: string) => ({
    deploymentId: foreign.sample,
    service: 'web',
    path: name,
  });
  foreign.put(foreign.sample, 'web', 'a.txt', 'first\n');
  foreign.put(foreign.sample, 'web', 'b.txt', 'other\n');
  await drafts.write({
    ...placeOf('b.txt'),
    text: earlierText,
    base: 'other\n',
    at: Date.now(),
  });
  return {
    foreign,
    state,
    draftOf: async (name) => (await drafts.read(placeOf(name)))?.text ?? '',
  };
}

/**
 * Starts, edits, saves, waits for the restart, types, leaves and quits, while one of the console's own
 * file operations fails.
 * @param fault undefined to count the operations.
 */
export async function runIoRound(fault: IoFault | undefined): Promise<IoRound> {
  const foreign = await startForeign({ pathForm: 'both' });
  const home = new Home();
  const folder = path.join(home.folder, 'fault');
  mkdirSync(folder);
  const ground = await groundOf(foreign, home);
  const own = ['XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'];
  const under = [dist, ...own.map((name) => home.env[name] ?? '')];
  const session = launch({
    home,
    cols: 130,
    rows: 30,
    env: {
      ...environmentOf(foreign),
      HOSTDECK_RESTART_DELAY: '1',
      ...faultEnvironment(fault, { under, folder }),
    },
  });
  try {
    const isUnread = () =>
      countedCalls(folder).some(({ failed, file }) => failed && file.endsWith('.draft'));
    const worked = await work(session, foreign, isUnread);
    const ended = await judgeEnd(session);
    const kept = await judgeKept(ground, session, worked.typed);
    const calls = countedCalls(folder);
    const failed = calls.find((call) => call.failed)?.file;
    const hit = failed === undefined ? 'nothing failed' : `failed ${path.basename(failed)}`;
    return {
      held: [...ended.held, ...kept.held, hit],
      broken: [...worked.broken, ...ended.broken, ...kept.broken],
      calls,
    };
  } finally {
    await session.close();
    home.remove();
    await foreign.close();
  }
}

/** Compares what the person typed with what the service and this machine have, and with what was told. */
async function judgeKept(
  { foreign, state, draftOf }: Ground,
  session: Session,
  typed: readonly string[],
): Promise<Judgement> {
  const broken: string[] = [];
  const held: string[] = [];
  const stored = foreign.stored(foreign.sample, 'web', 'a.txt')?.toString() ?? '';
  const draft = await draftOf('a.txt');
  const told = wordsOf(session.transcript);
  for (const word of typed) {
    if ([stored, draft].some((text) => text.includes(word))) continue;
    if (/Can't save the draft of a\.txt/.test(told)) held.push(`"${word}" is told as lost`);
    else broken.push(`"${word}" is lost without a word`);
  }
  if ((await draftOf('b.txt')) !== earlierText) broken.push('the earlier draft is lost');
  if (stored.includes('saved') && restartsOf(foreign) === 0) {
    const owed = await createRestartJournal(state, foreign.baseUrl).read();
    if (owed.length > 0) held.push('the restart is in the journal');
    else if (/Can't save the pending restarts/.test(told)) held.push('the restart is told');
    else broken.push('the restart is lost without a word');
  }
  held.push(`stored ${JSON.stringify(stored)}, draft ${JSON.stringify(draft)}`);
  return { held, broken };
}

/** Returns the words that the person has seen in the editor, and what did not happen. */
async function work(session: Session, foreign: Foreign, isUnread: () => boolean) {
  const broken: string[] = [];
  const typed: string[] = [];
  const until = async (what: string, holds: (now: Session) => boolean): Promise<void> => {
    const isThere = await session.waitFor(holds, 20_000).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    // An end is judged apart; what lasts is told, and may keep anything from happening.
    const isTold = /Can't load a part of hostdeck: /.test(session.screen);
    if (session.terminal.modes.alternateScreen && !isTold) {
      broken.push(`${what} did not happen:\n${session.screen}`);
    }
    throw new Error(what);
  };
  try {
    await until('the start', ({ screen }) => screen.includes('4 Logs bazaar'));
    // The box on the earlier draft, which is not offered where its file can't be read.
    await until('the offer', ({ screen }) => screen.includes('Esc later') || isUnread());
    if (session.screen.includes('Esc later')) session.press('escape');
    await until('closing the offer', ({ screen }) => !screen.includes('Esc later'));
    session.press('2');
    await until('the files', ({ screen }) => /\[2 Files.*[^]*a\.txt/.test(screen));
    await pressTo(session, 'a.txt');
    session.press('e');
    await until('the editor', ({ screen }) => {
      if (screen.includes('Try again.')) session.press('e');
      return screen.includes('EDIT a.txt');
    });
    session.type('saved ');
    await until('typing', ({ screen }) => screen.includes('saved first'));
    typed.push('saved');
    // Its draft is saved within a second.
    await sleep(1200);
    session.press('ctrl+s');
    await until('the save', ({ screen }) => !/\bsaving\b/.test(screen));
    for (let waited = 0; waited < 40 && restartsOf(foreign) === 0; waited += 1) await sleep(100);
    session.type('typed ');
    await until('typing', ({ screen }) => screen.includes('saved typed first'));
    typed.push('typed');
    session.press('ctrl+q');
    await until('leaving', ({ screen }) => !screen.includes('EDIT a.txt'));
  } catch {
    // It has ended, or what is broken is told.
  }
  return { typed, broken };
}

/** Moves the cursor of the list of files to a file, one row at a time. */
async function pressTo(session: Session, name: string): Promise<void> {
  const rowOf = (pattern: RegExp) => session.terminal.rows.findIndex((row) => pattern.test(row));
  const cursor = () => rowOf(/^> /);
  const target = () => rowOf(new RegExp(`\\b${name.replaceAll('.', '\\.')}\\b`));
  for (let presses = 0; presses < 20 && cursor() !== target(); presses += 1) {
    const before = cursor();
    session.press(before < target() ? 'j' : 'k');
    await session.waitFor(() => cursor() !== before, 2000).catch(() => undefined);
  }
}

/** Quits where it still runs. Returns what was wrong with its end. */
async function judgeEnd(session: Session): Promise<Judgement> {
  for (let press = 0; press < 20 && session.terminal.modes.alternateScreen; press += 1) {
    // The box on lost texts, or on pending restarts: the last option leaves.
    if (/lose what you typed\?|restarts are pending\?/.test(session.screen)) {
      session.press('up');
      await sleep(500);
      session.press('enter');
    } else session.press(session.screen.includes('EDIT ') ? 'ctrl+q' : 'ctrl+c');
    await Promise.race([session.exited, sleep(700, undefined, { ref: false })]);
  }
  const left = await Promise.race([session.exited, sleep(15_000, undefined, { ref: false })]);
  const broken = (what: string): Judgement => ({
    held: [],
    broken: [`${what}:\n${session.screen}`],
  });
  if (left === undefined) return broken('it does not end');
  if (/^ {4}at /m.test(session.screen)) return broken('it ended with a stack trace');
  if (left.code === 0) return { held: [], broken: [] };
  const last = session.screen.trim().split('\n').at(-1) ?? '';
  if (!/[.!]$|^hostdeck could not start: /.test(last.trim())) {
    return broken(`it ended with ${left.code} and without a word`);
  }
  return { held: [`ended with ${left.code}: ${last}`], broken: [] };
}

function restartsOf(foreign: Foreign): number {
  return foreign.requests.filter((request) => request.path.endsWith('/restart')).length;
}

/** Returns the words that the program wrote, without the sequences of the terminal. */
function wordsOf(transcript: string): string {
  // eslint-disable-next-line no-control-regex
  return transcript.replaceAll(/\x1b\[[\d;?]*[A-Za-z]/g, '');
}
