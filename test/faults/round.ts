import path from 'node:path';
import { createDraftsFolder } from '../../source/disk/drafts-folder.ts';
import { createRestartJournal } from '../../source/disk/restart-journal.ts';
import { until } from '../support/bounded-wait.ts';
import { launch, type Session } from '../e2e/harness.ts';
import { Home } from '../e2e/harness-home.ts';
import { isRunning } from '../host/support/processes.ts';
import { type MeddlingProxy, type Passing, startMeddlingProxy } from '../servers/meddling-proxy.ts';
import { type FileRecord, goTo, liveDay } from './day.ts';
import { type Evidence, type Judgement, judge } from './judge.ts';
import { fileCount, type Killing, type Plan } from './plan.ts';
import type { Shop, SurvivingHost } from './surviving-host.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ms that a draft may be behind what is seen, when nothing can be done any more. */
const draftBehind = 1000;

/** Ms that the program may take to end after the terminal is gone: it waits for what counts. */
const endsWithin = 20_000;

interface Sent {
  readonly kind: 'save' | 'restart';
  accepted: boolean;
}

/** One day with its kill and the morning after, on a deployment of its own. */
export async function runRound(host: SurvivingHost, plan: Plan): Promise<Judgement> {
  const shop = await host.open();
  const files = await firstFiles(shop);
  const proxy = await startMeddlingProxy(host.baseUrl);
  const home = new Home();
  try {
    const evening = await liveAndKill({ plan, proxy, home, files, token: shop.token });
    return await morning({ ...evening, plan, proxy, home, files, shop });
  } finally {
    home.remove();
    await proxy.close();
  }
}

async function firstFiles(shop: Shop): Promise<readonly FileRecord[]> {
  const files = Array.from({ length: fileCount }, (_, index): FileRecord => {
    const text = `first line of ${index}\nlast\n`;
    return {
      path: `${'abc'[index]}.txt`,
      states: [{ text, seenAt: 0 }],
      asked: [],
      saved: undefined,
    };
  });
  for (const { path: name, states } of files) {
    const json = { content: states[0]?.text };
    await shop.call('updateFile', { id: shop.id, name: 'web', path: name, json });
  }
  return files;
}

interface Evening {
  readonly sent: readonly Sent[];
  readonly savesSeen: number;
  readonly killedAt: number;
}

interface RoundParts {
  readonly plan: Plan;
  readonly proxy: MeddlingProxy;
  readonly home: Home;
  readonly files: readonly FileRecord[];
}

function start({ plan, proxy, home }: RoundParts, token: string): Session {
  return launch({
    home,
    cols: 130,
    rows: 30,
    env: {
      HOSTDECK_BASE_URL: proxy.baseUrl,
      HOSTDECK_TOKEN: token,
      HOSTDECK_RESTART_DELAY: plan.restartDelay,
    },
  });
}

function kindOf({ method, path: asked }: Passing): Sent['kind'] | undefined {
  if (method === 'PUT') return 'save';
  return asked.endsWith('/restart') ? 'restart' : undefined;
}

async function liveAndKill(parts: RoundParts & { readonly token: string }): Promise<Evening> {
  const { plan, proxy, files, token } = parts;
  const { moment } = plan;
  const session = start(parts, token);
  const sent: Sent[] = [];
  let savesSeen = 0;
  let killedAt: number | undefined;
  const killed = Promise.withResolvers<void>();

  function kill(): void {
    if (killedAt !== undefined) return;
    killedAt = performance.now();
    end(session, plan.killing);
    killed.resolve();
  }

  function seen(what: 'saved' | 'restarted'): void {
    if (moment.kind !== 'seen' || moment.what !== what) return;
    // Not by a timer where it is to be at once.
    if (moment.after === 0) kill();
    else setTimeout(kill, moment.after);
  }

  function passes(passing: Passing, when: 'asked' | 'answered'): void {
    if (moment.kind !== 'request' || moment.when !== when) return;
    if (moment.what === kindOf(passing)) kill();
  }

  proxy.meddle = (passing) => {
    const kind = kindOf(passing);
    if (kind !== undefined) sent.push({ kind, accepted: false });
    passes(passing, 'asked');
    return 'pass';
  };
  proxy.answered = (passing) => passes(passing, 'answered');

  const { pid } = session;
  try {
    await session.waitFor('c.txt');
    const isOver = () => killedAt !== undefined;
    const acceptance = watchFor(session, isOver, () => {
      const last = sent.findLast(({ kind }) => kind === 'restart');
      if (last === undefined || last.accepted) return;
      if (!session.screen.includes('shop is restarting')) return;
      last.accepted = true;
      seen('restarted');
    });
    const day = liveDay(
      {
        session,
        files,
        isOver,
        onStep(step) {
          if (moment.kind === 'clock' && moment.step === step) setTimeout(kill, moment.after);
        },
        onSaved() {
          savesSeen += 1;
          seen('saved');
        },
      },
      plan.steps,
    );
    // Whatever a dead program made fail is no failure.
    const lived = day.catch((error: unknown) => {
      if (!isOver()) throw error;
    });
    await Promise.race([lived, killed.promise]);
    if (!isOver() && isLate(plan)) await Promise.race([killed.promise, sleep(restartWait(plan))]);
    kill();
    await ended(pid);
    await Promise.all([lived, acceptance]);
  } finally {
    await session.close();
  }
  return { sent, savesSeen, killedAt: killedAt ?? 0 };
}

/** Whether the moment may still come when all is done. */
function isLate({ moment, restartDelay }: Plan): boolean {
  if (restartDelay === 'off' || moment.kind === 'clock') return false;
  return moment.what === 'restart' || moment.what === 'restarted';
}

function restartWait({ restartDelay }: Plan): number {
  return Number(restartDelay) * 1000 + 1000;
}

function end(session: Session, killing: Killing): void {
  switch (killing) {
    case 'kill -9':
      return session.kill('SIGKILL');
    case 'SIGHUP':
      return session.kill('SIGHUP');
    case 'terminal closed':
      return session.vanish();
  }
}

async function ended(pid: number): Promise<void> {
  await until('its end', () => !isRunning(pid), { within: endsWithin, every: 10 });
}

/** Looks at every screen until the day is over. */
async function watchFor(session: Session, isOver: () => boolean, look: () => void): Promise<void> {
  while (!isOver()) {
    const watching = session.waitFor(() => {
      look();
      return isOver();
    });
    // It gives up after a while, and when the program has ended.
    await Promise.race([watching.catch(() => undefined), sleep(100)]);
  }
}

interface Morning extends RoundParts, Evening {
  readonly shop: Shop;
}

/** Starts the program again and sees what is there. */
async function morning(parts: Morning): Promise<Judgement> {
  const { plan, proxy, home, files, shop, sent, savesSeen, killedAt } = parts;
  const stateFolder = path.join(home.env['XDG_STATE_HOME'] ?? '', 'hostdeck');
  const keeper = createDraftsFolder(stateFolder, proxy.baseUrl);
  const found = await Promise.all(
    files.map(async (file) => {
      const place = { deploymentId: shop.id, service: 'web', path: file.path };
      const draft = await keeper.read(place);
      const stored = await storedIn(shop, file.path);
      return Object.assign(file, { stored, draft: draft?.text });
    }),
  );
  const before = sent.length;
  await using session = start(parts, shop.token);
  await session.waitFor('c.txt');
  session.press('2');
  await session.waitFor('c.txt');
  const isExpected = found.some(({ draft }) => draft !== undefined) || savesSeen > 0;
  // It is said as soon as it is known; where nothing is expected, the list is as late as that.
  if (isExpected) await Promise.race([session.waitFor('Unfinished').catch(() => {}), sleep(2000)]);
  const row = /Unfinished since .*? yet\./s.exec(session.screen)?.[0] ?? '';
  const offeredDrafts = Number(/(\d+) drafts?\b/.exec(row)?.[1] ?? 0);
  const offeredRestart = /restart of shop/.test(row);
  // Drafts are offered in a box, restarts by a sentence.
  if (session.screen.includes('Esc later')) {
    session.press('escape');
    await session.waitFor((now) => !now.screen.includes('Esc later'));
  }
  const broken: string[] = [];
  for (const [index, { path: name, draft, stored }] of found.entries()) {
    if (draft === undefined || draft === stored) continue;
    await goTo(session, name, index);
    session.press('e');
    await session.waitFor(new RegExp(`EDIT ${name}`));
    const [first = ''] = draft.split('\n');
    const isThere = session.waitFor(first.slice(0, 60).trimEnd());
    await isThere.catch(() => broken.push(`the draft of ${name} is not in the editor`));
    session.press('ctrl+q');
    await session.waitFor(/\[2 Files shop\/web/);
  }
  const evidence: Evidence = {
    files: found,
    killedAt,
    grace: plan.killing === 'kill -9' ? draftBehind : 0,
    sent: sent.slice(0, before),
    savesSeen,
    offeredRestart,
    offeredDrafts,
    sentUnasked: sent.length - before,
  };
  const judgement = judge(evidence);
  if (offeredRestart) {
    const before = sent.length;
    await restartNow(session);
    if (sent.length !== before + 1) broken.push(`${sent.length - before} restarts came of one`);
  }
  session.kill('SIGTERM');
  await session.exited;
  const owed = await createRestartJournal(stateFolder, proxy.baseUrl).read();
  if (owed.length > 0) broken.push('a restart that was sent is still owed');
  return { ...judgement, broken: [...judgement.broken, ...broken] };
}

/** Sends the restart that is offered, and waits until it is accepted. */
async function restartNow(session: Session): Promise<void> {
  session.press('1');
  // Saves that were not seen may be among them.
  await session.waitFor(/ unapplied .* 1\/1 /);
  session.press('r');
  await session.waitFor(/> shop +unapplied/);
  session.press('tab');
  await session.waitFor('[Restart now]');
  const markers = () => session.screen.split('-- shop restarted').length;
  const before = markers();
  // A box ignores Enter until it was shown for a while.
  while (session.screen.includes('[Restart now]')) {
    session.press('enter');
    await sleep(100);
  }
  // The message goes after some seconds; the marker in the log stays.
  await session.waitFor(() => markers() > before || session.screen.includes('shop is restarting'));
}

async function storedIn(shop: Shop, name: string): Promise<string> {
  const answer = await shop.call('getFile', { id: shop.id, name: 'web', path: name });
  const { file } = answer.body as { readonly file: { readonly content: string } };
  return file.content;
}
