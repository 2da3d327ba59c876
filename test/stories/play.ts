/** Plays a story: a person at a console edits, saves, reads the verdict, and undoes what is worse. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { edit, enterUntil } from '../e2e/edit-console.ts';
import { pressUntil } from '../e2e/foreign-console.ts';
import { Home } from '../e2e/harness-home.ts';
import { launch, type Session } from '../e2e/harness.ts';
import { runProgram } from '../e2e/run-program.ts';
import { until, wrongInTheEnd } from '../support/bounded-wait.ts';
import type { Ending } from './judge-story.ts';
import type { Stage } from './stage.ts';
import type { KillMoment, Story } from './story.ts';

export interface PlayOptions {
  /** Seconds of a proof. */
  readonly seconds: number;
  /** Starts before the edit, with the first one. */
  readonly starts: number;
  /** Called with each screen of interest. */
  readonly onScreen: (step: string, screen: string) => void;
}

/** Milliseconds after a whole proof in which the next step begins. */
const pause = 3000;

/** Milliseconds beyond a proof in which its verdict comes at the latest. */
const lateVerdict = 60_000;

const bounds = { within: lateVerdict, every: 50 };

const verdictSentence =
  /shop (?:(?:is (?<known>worse)|has no new problems) since (?<at>[\d:]+):|since (?<time>[\d:]+) is unclear).*?\.(?=\s*(?:\d+ (?:more|…)|\n|$))/s;

interface TellingVerdict {
  readonly verdict: string;
  /** The time of the restart. */
  readonly at: string;
  /** The whole message. */
  readonly told: string;
}

/** Plays a story to its end on a stage of its own. */
export async function playStory(
  story: Story,
  stage: Stage,
  { seconds, starts, onScreen }: PlayOptions,
): Promise<Ending> {
  const home = new Home();
  const env = {
    HOSTDECK_BASE_URL: stage.baseUrl,
    HOSTDECK_TOKEN: stage.token,
    HOSTDECK_PROOF: String(seconds),
  };
  let session: Session | undefined;

  async function open(): Promise<Session> {
    session = launch({ home, env });
    await session.waitFor('Logs shop');
    return session;
  }

  /** Kills the console and opens the next one, at the moment of this story. */
  async function mayKill(console: Session, moment: KillMoment): Promise<Session> {
    if (story.killed !== moment) return console;
    onScreen(`killed ${moment}`, console.screen);
    console.kill('SIGKILL');
    await console.exited;
    await console.close();
    return open();
  }

  try {
    await startOften(home, env, { seconds, starts });
    const { file, keys, text, shown } = story.edit(stage.ports);
    const before = await stage.stored(file);
    let console = await open();
    await edit(console, path.basename(file));
    console.press(...keys);
    console.type(text);
    await console.waitFor(shown);
    onScreen('edited', console.screen);
    console.press('ctrl+s');
    // The first second of the countdown has passed, so that it is on the disk.
    await console.waitFor(/restart [1-4]s/);
    onScreen('saved', console.screen);
    console.press('ctrl+q');
    await console.waitFor('[2 Files');
    const { strangerWrites } = story;
    if (strangerWrites !== undefined) {
      await stage.write(strangerWrites.file, strangerWrites.content);
    }
    const reopened = await mayKill(console, 'in the countdown');
    if (reopened !== console) await restartPending(reopened);
    console = reopened;
    await until('the record of the proof', () => hasRecords(home), bounds);
    console = await mayKill(console, 'while proving');
    if (story.strangerRestarts === true) {
      await sleep((seconds / 2) * 1000);
      await stage.restart();
    }
    const { verdict, at, told } = await verdictOf(console, seconds);
    onScreen('judged', console.screen);
    if (verdict !== 'worse') return { verdict, told };
    console = await mayKill(console, 'before the undo');
    await undo(console, onScreen);
    const unrestored = async () => ((await stage.stored(file)) === before ? undefined : file);
    const areBytesBack = (await wrongInTheEnd(unrestored, bounds)) === undefined;
    const restored = await verdictOf(console, seconds, at);
    onScreen('restored', console.screen);
    return { verdict, told, areBytesBack, restored: restored.verdict };
  } catch (error) {
    onScreen('failed', session?.screen ?? '');
    throw error;
  } finally {
    await session?.close();
    home.remove();
  }
}

/** Restarts as on the days before, so that there are starts to compare with. */
async function startOften(
  home: Home,
  env: Readonly<Record<string, string>>,
  { seconds, starts }: Pick<PlayOptions, 'seconds' | 'starts'>,
): Promise<void> {
  for (let start = 1; start < starts; start += 1) {
    await sleep(seconds * 1000 + pause);
    const args = ['deployments', 'restart', 'shop', '--yes'];
    const { code, stderr } = await runProgram(args, { home, env });
    if (code !== 0) throw new Error(`restart exited with ${code}: ${stderr}`);
  }
  await sleep(seconds * 1000 + pause);
}

/** Sends the restart that a killed console left pending. */
async function restartPending(console: Session): Promise<void> {
  await console.waitFor('Unfinished since');
  console.press('1');
  await console.waitFor(/unapplied .* 1 file/);
  console.press('r');
  await console.waitFor('> shop        unapplied');
  console.press('tab');
  await console.waitFor('[Restart now]');
  await pressUntil(console, 'enter', (now) => !now.screen.includes('[Restart now]'));
}

/** Waits for the verdict on a restart other than the one of the time `before`. */
async function verdictOf(console: Session, seconds: number, before = ''): Promise<TellingVerdict> {
  let told: TellingVerdict | undefined;
  await console.waitFor(
    ({ screen }) => {
      told = verdictOn(screen);
      return told !== undefined && told.at !== before;
    },
    seconds * 1000 + lateVerdict,
  );
  if (told === undefined) throw new Error('no verdict');
  return told;
}

function verdictOn(screen: string): TellingVerdict | undefined {
  const found = verdictSentence.exec(screen);
  if (found === null) return undefined;
  const { at, time = '', known = at === undefined ? 'unclear' : 'unchanged' } = found.groups ?? {};
  return { verdict: known, at: at ?? time, told: found[0].replaceAll(/\s+/g, ' ') };
}

/** Restores the files of the restart that is worse, with all questions that this asks. */
async function undo(console: Session, onScreen: PlayOptions['onScreen']): Promise<void> {
  console.press('u');
  await console.waitFor(/> \d\d:\d\d {2}Restart, worse \(1 file\) +shop: web\//);
  onScreen('undo', console.screen);
  await enterUntil(console, ({ screen }) => screen.includes('undo restart of shop?'));
  await console.waitFor(/web\/\S+: [+-]\d+/);
  onScreen('asked', console.screen);
  console.press('tab', 'tab');
  await console.waitFor('[Restore]');
  await enterUntil(console, ({ screen }) => !screen.includes('[Restore]'));
}

/** Returns whether this machine has a record of a proof. */
function hasRecords(home: Home): boolean {
  const folder = path.join(home.folder, 'state', 'hostdeck', 'proofs');
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.json'));
}
