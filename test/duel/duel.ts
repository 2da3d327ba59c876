import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Home } from '../e2e/harness-home.ts';
import { launch } from '../e2e/harness.ts';
import type { Shop, SurvivingHost } from '../faults/surviving-host.ts';
import { type MeddlingProxy, startMeddlingProxy } from '../servers/meddling-proxy.ts';
import { seeded } from '../terminal/screen/simulated-screen.ts';
import { type Evidence, type FileWrite, judgeDuel } from './judge.ts';
import { type Deed, operate } from './operator.ts';

/** A console process of one operator. */
interface ConsoleProcess {
  readonly words: { readonly text: string; readonly seenAt: number; isSaved: boolean }[];
  killedAt: number | undefined;
}

export interface DuelResult {
  readonly broken: readonly string[];
  /** Numbers of what was done, by name. */
  readonly figures: Readonly<Record<string, number>>;
}

const files = ['a.txt', 'b.txt'];

/** Milliseconds in which a console works before it may be killed, and the most that it works longer. */
const life = { shortest: 4000, further: 20_000 };

/**
 * Two consoles with one state folder work on the files of one service for so many milliseconds; one of
 * them is killed now and then and starts again.
 */
export async function runDuel(
  host: SurvivingHost,
  { seed, milliseconds }: { readonly seed: number; readonly milliseconds: number },
): Promise<DuelResult> {
  const shop = await host.open();
  for (const [index, name] of files.entries()) {
    const json = { content: `file ${index}\n` };
    await shop.call('updateFile', { id: shop.id, name: 'web', path: name, json });
  }
  const proxy = await startMeddlingProxy(host.baseUrl);
  const home = new Home();
  const writes = recordWrites(proxy);
  const processes: ConsoleProcess[] = [];
  const deeds: Partial<Record<Deed | 'kill' | 'word', number>> = {};
  const count = (deed: Deed | 'kill' | 'word') => {
    deeds[deed] = (deeds[deed] ?? 0) + 1;
  };
  const end = performance.now() + milliseconds;
  let lastWord = 0;

  async function work(player: number): Promise<void> {
    const random = seeded(seed * 7919 + player);
    while (performance.now() < end) {
      const process: ConsoleProcess = { words: [], killedAt: undefined };
      processes.push(process);
      const session = launch({
        home,
        env: {
          HOSTDECK_BASE_URL: proxy.baseUrl,
          HOSTDECK_TOKEN: shop.token,
          HOSTDECK_RESTART_DELAY: 'off',
        },
      });
      try {
        await session.waitFor('Logs shop');
        const until = performance.now() + life.shortest + random() * life.further;
        const isOver = () => performance.now() >= Math.min(until, end);
        await operate({
          session,
          random,
          isOver,
          nextWord: () => `w${(lastWord += 1)}x`,
          onDeed: count,
          onSeen(text) {
            count('word');
            process.words.push({ text, seenAt: performance.now(), isSaved: false });
          },
          onSaved(texts) {
            for (const word of process.words) if (texts.includes(word.text)) word.isSaved = true;
          },
        });
        if (performance.now() < end) {
          process.killedAt = performance.now();
          count('kill');
          session.kill('SIGKILL');
        } else session.kill('SIGTERM');
        await session.exited;
      } finally {
        await session.close();
      }
    }
  }

  try {
    await Promise.all([work(1), sleep(700).then(() => work(2))]);
    const remains = `${await storedIn(shop)}\n${keptIn(home)}`;
    const evidence: Evidence = { processes, remains, writes };
    return { broken: judgeDuel(evidence), figures: { ...deeds, writes: writes.length } };
  } finally {
    home.remove();
    await proxy.close();
  }
}

/** Follows the writes of files through the proxy, each with the content that it replaces. */
function recordWrites(proxy: MeddlingProxy): readonly FileWrite[] {
  const contents = new Map(files.map((name, index) => [name, `file ${index}\n`]));
  const writes: FileWrite[] = [];
  let uploads = 0;
  const record = (name: string, after: string | undefined): void => {
    writes.push({ path: name, before: contents.get(name), after });
    if (after === undefined) contents.delete(name);
    else contents.set(name, after);
  };
  proxy.answered = ({ method, path: asked, body }, status) => {
    if (status >= 300 || !asked.includes('/files')) return;
    const name = asked.slice(asked.lastIndexOf('/') + 1);
    switch (method) {
      case 'PUT':
        return record(name, fieldsOf(body).content);
      case 'DELETE':
        return record(name, undefined);
      case 'PATCH': {
        const { oldPath = '', newPath = '' } = fieldsOf(body);
        const moved = contents.get(oldPath);
        record(oldPath, undefined);
        // Two files may have the same content; a move of one onto the other is no repetition.
        contents.delete(newPath);
        return record(newPath, moved);
      }
      case 'POST': {
        // A multipart body, whose files are read by the next write only.
        const uploaded = /filename="([^"]+)"/.exec(body)?.[1] ?? '';
        return record(uploaded, `upload ${(uploads += 1)}`);
      }
    }
  };
  return writes;
}

function fieldsOf(
  body: string,
): Readonly<Partial<Record<'content' | 'oldPath' | 'newPath', string>>> {
  return JSON.parse(body);
}

async function storedIn(shop: Shop): Promise<string> {
  const target = { id: shop.id, name: 'web' };
  const { body } = await shop.call('listFiles', target);
  const { files: listed } = body as { readonly files: readonly { readonly path: string }[] };
  const texts = listed.map(async (file) => {
    const answer = await shop.call('getFile', { ...target, path: file.path });
    return (answer.body as { readonly file: { readonly content: string } }).file.content;
  });
  return (await Promise.all(texts)).join('\n');
}

/** Returns the contents of all drafts and of the whole trash. */
function keptIn(home: Home): string {
  const state = path.join(home.folder, 'state', 'hostdeck');
  const entries = readdirSync(state, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(?:draft|file)$/.test(entry.name))
    .map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'utf8'))
    .join('\n');
}
