/** The stories: something that a person edits, with what comes of it. */
import type { Verdict } from '../../source/store/proof/judge.ts';
import { pricesFile, settingNames, settingsFile, type ShopPorts } from './shop-program.ts';

export type StageName = 'host' | 'harbour' | 'mute harbour';

/** The moments at which a console is killed and opened again. */
export type KillMoment = 'in the countdown' | 'while proving' | 'before the undo';

/** An edit of a file: keys to go to its place, the keys of the change, and what then is on the screen. */
export interface StoryEdit {
  readonly file: string;
  readonly keys: readonly string[];
  readonly text: string;
  readonly shown: string;
}

export interface Story {
  readonly name: string;
  /** The service that the story is played on where nothing else is asked for. */
  readonly stage: StageName;
  readonly edit: (ports: ShopPorts) => StoryEdit;
  readonly verdict: Verdict;
  /** The verdict on a service that does not tell what happens. */
  readonly muteVerdict?: Verdict;
  readonly killed?: KillMoment;
  /** A file that somebody else writes between the save and the restart. */
  readonly strangerWrites?: { readonly file: string; readonly content: string };
  /** True where somebody else restarts the deployment while it is proved. */
  readonly strangerRestarts?: boolean;
}

/** Returns an edit that adds a setting. */
function added(line: string): StoryEdit {
  return { file: settingsFile, keys: ['ctrl+end'], text: line, shown: line };
}

/** Returns an edit that replaces the value of a setting. */
function changed(name: string, old: string | number, value: string | number): StoryEdit {
  const down = repeated('down', settingNames.indexOf(name));
  const keys = ['ctrl+home', ...down, 'end', ...repeated('backspace', String(old).length)];
  return { file: settingsFile, keys, text: String(value), shown: `${name}: ${value}` };
}

function repeated(key: string, times: number): readonly string[] {
  return Array.from({ length: times }, () => key);
}

export const stories: readonly Story[] = [
  {
    name: 'bad config',
    stage: 'host',
    edit: ({ web }) => changed('port', web, '80x80'),
    verdict: 'worse',
    killed: 'before the undo',
  },
  {
    name: 'typo in code',
    stage: 'harbour',
    edit: () => ({
      file: pricesFile,
      // From `items.map` to `items.mpa`.
      keys: ['ctrl+home', ...repeated('right', 34), 'delete', 'right'],
      text: 'a',
      shown: 'items.mpa(',
    }),
    verdict: 'worse',
    killed: 'while proving',
  },
  {
    name: 'port taken',
    stage: 'host',
    edit: ({ web, ledger }) => changed('port', web, ledger),
    verdict: 'worse',
  },
  {
    name: 'slow start',
    stage: 'harbour',
    edit: () => added('warmup: 12'),
    verdict: 'unchanged',
  },
  {
    name: 'dependency down',
    stage: 'harbour',
    edit: ({ ledger, closed }) => changed('ledger', ledger, closed),
    verdict: 'worse',
    killed: 'in the countdown',
  },
  {
    name: 'log storm',
    stage: 'harbour',
    edit: () => added('queue: orders'),
    verdict: 'worse',
  },
  {
    name: 'silent hang',
    stage: 'host',
    edit: () => added('lock: exclusive'),
    verdict: 'unchanged',
  },
  {
    name: "stranger's edit in between",
    stage: 'harbour',
    edit: () => changed('title', 'Spring', 'Summer'),
    strangerWrites: { file: pricesFile, content: 'exports.total = () => undefined.price;\n' },
    verdict: 'worse',
  },
  {
    name: "stranger's restart in between",
    stage: 'host',
    edit: () => changed('title', 'Spring', 'Summer'),
    strangerRestarts: true,
    verdict: 'unclear',
    muteVerdict: 'unchanged',
  },
  {
    name: 'good change',
    stage: 'host',
    edit: () => changed('title', 'Spring', 'Summer'),
    verdict: 'unchanged',
  },
];

/** Returns the verdict that a story has to have on a service. */
export function expectedVerdict({ verdict, muteVerdict = verdict }: Story, stage: StageName) {
  return stage === 'mute harbour' ? muteVerdict : verdict;
}
