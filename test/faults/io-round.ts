import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDraftsFolder } from '../../source/disk/drafts-folder.ts';
import { startForeign } from '../servers/foreign.ts';
import { environmentOf, pressUntil } from '../e2e/foreign-console.ts';
import { launch, type Session } from '../e2e/harness.ts';
import { Home } from '../e2e/harness-home.ts';
import { isRunning } from '../host/support/processes.ts';
import type { Judgement } from './judge.ts';

/** The n-th call of a kind that fails while a file is edited, saved, restarted and left. */
export interface IoFault {
  readonly call: 'openat' | 'write' | 'fsync' | 'rename';
  readonly code: 'EMFILE' | 'ENOSPC' | 'EIO';
  /** Number of the call in each thread of the console, from 1; with `isLasting` all later ones too. */
  readonly at: number;
  readonly isLasting: boolean;
}

const program = path.resolve(import.meta.dirname, '../../dist/cli.js');
const preload = path.resolve(import.meta.dirname, 'failing-writes.mjs');

/** Returns all faults: each call fails alone at its first `most` times, and lastingly from the first. */
export function ioFaults(most: number): readonly IoFault[] {
  const codes = {
    openat: ['EMFILE', 'ENOSPC', 'EIO'],
    write: ['ENOSPC', 'EIO'],
    fsync: ['EIO', 'ENOSPC'],
    rename: ['EIO', 'ENOSPC'],
  } as const;
  const times = Array.from({ length: most }, (_, index) => index + 1);
  return Object.entries(codes).flatMap(([call, all]) =>
    all.flatMap((code) => {
      const faultAt = (at: number, isLasting: boolean): IoFault => ({
        call: call as IoFault['call'],
        code,
        at,
        isLasting,
      });
      const once = times.map((at) => faultAt(at, false));
      // A lasting fault of writes is a full disk, which opens as well.
      return call === 'write' ? once : [...once, faultAt(1, true)];
    }),
  );
}

export function ioFaultText({ call, code, at, isLasting }: IoFault): string {
  return `${call} fails with ${code} at ${at}${isLasting ? ' and from then on' : ''}`;
}

/** Edits, saves, restarts and quits under one fault. */
export async function runIoRound(fault: IoFault): Promise<Judgement> {
  const foreign = await startForeign({ pathForm: 'both' });
  const home = new Home();
  const from = path.join(home.folder, 'from');
  const session = launch({
    home,
    cols: 130,
    rows: 30,
    command: [process.execPath, '--import', preload, program],
    env: {
      ...environmentOf(foreign),
      HOSTDECK_RESTART_DELAY: '2',
      HOSTDECK_FAULT: fault.call === 'write' ? `${fault.code} ${fault.at}` : '',
      HOSTDECK_FAULT_FROM: from,
    },
  });
  foreign.put(foreign.sample, 'web', 'a.txt', 'first\n');
  const tracer: { end?: () => Promise<void> } = {};
  try {
    await session.waitFor('4 Logs bazaar');
    await openFile(session);
    // The early parts are loaded a second after the first data.
    await sleep(2500);
    writeFileSync(from, '');
    if (fault.call !== 'write') tracer.end = await trace(session.pid, fault);
    const broken = await work(session);
    const stored = foreign.stored(foreign.sample, 'web', 'a.txt')?.toString() ?? '';
    const stateFolder = path.join(home.env['XDG_STATE_HOME'] ?? '', 'hostdeck');
    const place = { deploymentId: foreign.sample, service: 'web', path: 'a.txt' };
    const draft = (await createDraftsFolder(stateFolder, foreign.baseUrl).read(place))?.text ?? '';
    for (const word of ['saved', 'typed']) {
      const isTold = new RegExp(`Can't save the draft of a\\.txt`).test(session.transcript);
      const isKept = [stored, draft].some((text) => text.includes(word));
      if (!isKept && !(fault.isLasting && isTold)) broken.push(`"${word}" is lost without a word`);
    }
    return { held: [`stored ${JSON.stringify(stored)}, draft ${JSON.stringify(draft)}`], broken };
  } finally {
    await tracer.end?.();
    await session.close();
    home.remove();
    await foreign.close();
  }
}

async function openFile(session: Session): Promise<void> {
  session.press('2');
  await session.waitFor('a.txt');
  session.press('g');
  await pressUntil(session, 'j', ({ screen }) => /^> .*a\.txt/m.test(screen));
  session.press('e');
  await session.waitFor('EDIT a.txt');
}

/** Types, saves, waits for the restart, types again and quits. Returns what was wrong. */
async function work(session: Session): Promise<string[]> {
  const broken: string[] = [];
  const until = async (what: string, holds: Parameters<Session['waitFor']>[0]): Promise<void> => {
    await session.waitFor(holds, 15_000).catch(() => broken.push(`${what} did not happen`));
  };
  session.type('saved ');
  await until('typing', /saved first/);
  await sleep(1000);
  session.press('ctrl+s');
  await until('the end of the save', ({ screen }) => !/\bsaving\b/.test(screen));
  await sleep(4000);
  session.type('typed ');
  await until('typing after the save', /saved typed first/);
  await sleep(1500);
  session.press('ctrl+q');
  await until('leaving the editor', ({ screen }) => !screen.includes('EDIT a.txt'));
  for (let press = 0; press < 12 && session.terminal.modes.alternateScreen; press += 1) {
    // The box on lost texts, or on pending restarts: the last option leaves.
    if (/lose what you typed\?|restarts are pending\?/.test(session.screen)) {
      session.press('up');
      await sleep(500);
      session.press('enter');
    } else session.press('ctrl+c');
    await sleep(700);
  }
  const left = await Promise.race([session.exited, sleep(15_000)]);
  if (left === undefined) broken.push(`it does not end:\n${session.screen}`);
  else if (left.code !== 0 && !/hostdeck (?:crashed|ended|was ended)/.test(session.screen)) {
    broken.push(`it ended with ${left.code} and without a word:\n${session.screen}`);
  } else if (left.code !== 0) broken.push(`it ended with ${left.code}:\n${session.screen}`);
  return broken;
}

/** Lets strace fail the calls of a running process. Returns the function that ends it. */
async function trace(
  pid: number,
  { call, code, at, isLasting }: IoFault,
): Promise<() => Promise<void>> {
  const calls = call === 'rename' ? '/^rename' : call;
  const inject = `inject=${calls}:error=${code}:when=${at}${isLasting ? '+' : ''}`;
  const child = spawn('strace', ['-f', '-p', String(pid), '-e', `trace=${calls}`, '-e', inject], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  await once(child.stderr, 'data');
  child.stderr.resume();
  return async () => {
    if (child.exitCode === null && isRunning(pid)) child.kill('SIGINT');
    await ended;
  };
}
