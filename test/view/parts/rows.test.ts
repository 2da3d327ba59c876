import { describe, expect, it } from 'vitest';
import { formatWait } from '../../../source/store/time/age.ts';
import { deploymentDetails } from '../../../source/view/deployments/details.ts';
import { deploymentColumns, deploymentHeader } from '../../../source/view/deployments/columns.ts';
import { deploymentLine, type DeploymentRow } from '../../../source/view/deployments/rows.ts';
import { instancesText } from '../../../source/view/text/instances.ts';
import { fileLine } from '../../../source/view/files/rows.ts';
import { viewedText } from '../../../source/view/files/text.ts';
import { fitLine } from '../../../source/view/text/fit.ts';
import { commandsIn } from '../../../source/view/command/registry.ts';
import { registeredCommands } from '../../../source/view/shell/commands.ts';
import { footerLine } from '../../../source/view/shell/footer.ts';
import { grantColumns } from '../../../source/view/grants/columns.ts';
import { grantDetails } from '../../../source/view/grants/details.ts';
import { grantLine } from '../../../source/view/grants/rows.ts';
import type { Line } from '../../../source/view/text/line.ts';
import { emptyGutter as none, levelToken, logLine } from '../../../source/view/log/rows/line.ts';
import { messageLine } from '../../../source/view/shell/message.ts';
import { restartSummary } from '../../../source/view/restarts/summary.ts';
import { pendingText, restartTexts } from '../../../source/view/restarts/text.ts';
import { statusLine, withoutBars } from '../../../source/view/text/status-line.ts';

const textOf = (line: Line, width = 80) =>
  fitLine(line, width)
    .map((part) => part.text)
    .join('')
    .trimEnd();

const now = Date.parse('2026-11-21T12:00:00Z');
const shop = {
  id: '3f0c2a00-0000-4000-8000-000000000091-4711',
  name: 'shop',
  state: 'active',
  createdAt: '2026-10-11T12:00:00Z',
  services: [
    { name: 'web', state: 'active', instances: 1, running: 1 },
    { name: 'api', state: 'starting', instances: 1, running: 0 },
  ],
};
const refused = {
  code: 'service-error',
  operation: 'restart deployment',
  status: 503,
  sentence: 'It is overloaded.',
  next: 'Try again.',
  unknownOutcome: false,
} as const;

describe('a deployment in the list', () => {
  const row = { read: { value: shop, unknown: {} }, cursor: true, opened: true };

  const rowAt = (width: number, more: Partial<DeploymentRow> = {}) => {
    const shown = { ...row, restart: undefined, ...more };
    return textOf(deploymentLine(shown, deploymentColumns([shown.read], width), now), width);
  };
  const restart = { kind: 'failed', at: now, error: refused, changes: undefined } as const;

  it('shows name, state and instances in the narrowest list', () => {
    expect(rowAt(38)).toBe('>o shop               active       1/2');
  });

  it('shows more columns in a wider list, and a dash for what is unknown', () => {
    expect(rowAt(46)).toBe('>o shop             active       1/2   -  41d');
    expect(rowAt(57)).toBe('>o shop                 active       1/2   -  41d      -');
    expect(rowAt(80)).toBe('>o shop    active       1/2   -  41d      - web api');
    const counted = {
      ...shop,
      services: shop.services.map((service) => ({ ...service, restarts: 2 })),
      pricePerHour: '0.12',
    };
    const read = { value: counted, unknown: {} };
    expect(rowAt(80, { read })).toBe('>o shop    active       1/2   4  41d   0.12 web api');
    expect(rowAt(120, { read })).toContain(shop.id);
  });

  it('loses no column in any wider list', () => {
    const titles = Array.from({ length: 200 }, (_, index) =>
      textOf(deploymentHeader(deploymentColumns([row.read], 38 + index)), 38 + index)
        .trim()
        .replace('restarts', 'rst')
        .split(/ +/),
    );
    for (const [index, columns] of titles.entries()) {
      expect(columns.slice(0, titles[index - 1]?.length ?? 0)).toEqual(titles[index - 1] ?? []);
    }
    expect(titles.at(-1)).toEqual([
      'name',
      'state',
      'inst',
      'rst',
      'age',
      'cost/h',
      'services',
      'note',
      'id',
    ]);
  });

  it('shows its most urgent word instead of the state, and why beside it', () => {
    const crashing = { kind: 'crashing', word: 'crashing', exitCode: 1 } as const;
    expect(rowAt(80, { condition: crashing })).toMatch(/ crashing .* exit 1$/);
    const failed = { kind: 'restart failed', word: 'restart failed' } as const;
    expect(rowAt(38, { condition: failed, restart })).toMatch(/ restart fa… +1\/2$/);
    const counting = {
      kind: 'counting',
      deadline: now,
      left: 3001,
      changes: { files: [{ service: 'web', path: 'a' }], since: now },
    } as const;
    const condition = { kind: 'counting', word: 'restart' } as const;
    expect(rowAt(80, { restart: counting, condition })).toMatch(/ restart 4s .* 1 file$/);
  });

  it('shows no instance count if unknown or closed', () => {
    expect(instancesText({ ...shop, services: [{ name: 'web', state: 'active' }] })).toBe('-');
    expect(instancesText({ ...shop, services: [] })).toBe('-');
    expect(instancesText({ ...shop, state: 'Closed' })).toBe('-');
  });

  it('counts the instances of services that report them', () => {
    const web = { name: 'web', state: 'active', instances: 3 };
    expect(instancesText({ ...shop, services: [{ ...web, running: 1 }] })).toBe('1/3');
    expect(instancesText({ ...shop, services: [web] })).toBe('-/3');
    expect(instancesText({ ...shop, services: [{ name: 'web', running: 1 }] })).toBe('1/-');
    const uncounted = { name: 'api', state: 'active' };
    expect(instancesText({ ...shop, services: [{ ...web, running: 1 }, uncounted] })).toBe('-');
  });
});

describe('pending restarts', () => {
  const changes = { files: [{ service: 'web', path: 'a' }], since: now };
  const files = (count: number) => ({
    ...changes,
    files: Array.from({ length: count }, (_, index) => ({ service: 'web', path: `${index}` })),
  });

  it('show the remaining seconds, rounded up, and the files', () => {
    const counting = { kind: 'counting', deadline: now, changes: files(2) } as const;
    expect(pendingText({ ...counting, left: 3001 }, false)).toBe('restart in 4s, 2 files');
    expect(pendingText({ ...counting, left: 4000 }, true)).toBe('restart in 4s');
    expect(pendingText({ ...counting, left: 0 }, false)).toBe('restart due, 2 files');
  });

  it('stand in row 1, the nearest first, with their names if there are several', () => {
    const counting = { kind: 'counting', deadline: now, changes: files(2) } as const;
    const lost = { kind: 'unknown', at: now, error: refused, changes } as const;
    const unapplied = { kind: 'unapplied', changes } as const;
    const row = ['ledger', unapplied] as const;
    const four = { ...counting, left: 3001 };
    expect(restartTexts([row])).toEqual([]);
    expect(restartTexts([row, ['shop', four]])).toEqual(['restart 4s']);
    expect(restartTexts([['shop', { ...counting, left: 0 }]])).toEqual(['restart due']);
    expect(
      restartTexts([
        [
          'shop',
          {
            kind: 'restarting',
            since: now,
            request: 1,
            changes,
            later: undefined,
            laterCancelled: false,
          },
        ],
      ]),
    ).toEqual(['restarting']);
    expect(
      restartTexts([
        ['web', lost],
        ['shop', four],
        ['cart', { ...counting, left: 1000 }],
      ]),
    ).toEqual(['restart cart 1s', 'restart shop 4s', 'restart web unconfirmed']);
  });

  it('show the unapplied changes and the key r', () => {
    expect(pendingText({ kind: 'unapplied', changes: files(2) }, false)).toBe('2 unapplied');
    const lost = { kind: 'unknown', at: now, error: refused, changes } as const;
    expect(pendingText(lost, false)).toBe('restart unconfirmed, r');
  });
});

describe('details', () => {
  it('of a deployment include unknown fields', () => {
    const lines = deploymentDetails({ value: shop, unknown: { region: { zone: 3 } } }, now);
    expect(lines.map(({ line }) => textOf(line)).join('\n')).toMatch(
      /other fields\n {2}region +\{"zone":3\}/,
    );
  });

  it("of a grant show whole addresses and mark the caller's", () => {
    const grant = {
      id: 'g',
      grantor: '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c',
      grantee: '0x9f00000000000000000000000000000000000001',
      limit: 50,
      spent: 50,
      expires_at: '2026-12-21T12:00:00Z',
      created_at: '2026-11-01T12:00:00Z',
    };
    const read = { value: grant, unknown: {} };
    const shown = { read, book: [], rate: undefined };
    const text = grantDetails(
      { ...shown, caller: grant.grantee.toUpperCase().replace('0X', '0x') },
      now,
    )
      .map(({ line }) => textOf(line))
      .join('\n');
    expect(text).toContain(`grantor     ${grant.grantor}\n`);
    expect(text).toContain(`grantee     ${grant.grantee} (you)\n`);
    expect(text).toContain('limit reached');
    const row = { ...shown, cursor: false, caller: grant.grantor };
    expect(textOf(grantLine(row, grantColumns(38), now), 38)).toBe(
      '   to 0x9f..01    50/50 limit reached',
    );
  });
});

describe('a file in the tree', () => {
  const record = { path: 'config/app.yaml', size: 1234, modifiedAt: '2026-11-21T11:59:00Z' };
  const file = {
    path: record.path,
    name: 'app.yaml',
    depth: 1,
    folder: false,
    open: false,
    record,
  };

  it('is indented below its folder and shows its size', () => {
    const columns = { width: 38, marks: false, now };
    expect(textOf(fileLine({ row: file, cursor: false, opened: true }, columns), 38)).toBe(
      ' o     app.yaml                1.2 kB',
    );
  });

  it('shows a dash for a size and an age that are unknown, and none of a file yet to be saved', () => {
    const bare = { ...file, record: { path: file.path } };
    const columns = { width: 60, marks: true, now };
    const line = (mark?: 'new') =>
      textOf(fileLine({ row: bare, cursor: false, opened: false, mark }, columns), 60);
    expect(line()).toMatch(/app\.yaml +- {7}-$/);
    expect(line('new')).toMatch(/app\.yaml +new$/);
  });

  it('shows a name with a tab otherwise than one with blanks', () => {
    const columns = { width: 38, marks: false, now };
    const line = (name: string, folder: boolean) =>
      textOf(
        fileLine({ row: { ...file, name, folder }, cursor: false, opened: false }, columns),
        38,
      );
    expect(line('a\tb', false)).toMatch(/ a\^Ib +1\.2 kB$/);
    expect(line('a\tb', true)).toMatch(/ a\^Ib\/$/);
  });

  it('shows unsaved text and unapplied changes', () => {
    const columns = { width: 38, marks: true, now };
    const line = (mark?: 'draft' | 'unapplied') =>
      textOf(fileLine({ row: file, cursor: false, opened: true, mark }, columns), 38);
    expect(line('draft')).toBe(' o     app.yaml    1.2 kB  draft');
    expect(line('unapplied')).toBe(' o     app.yaml    1.2 kB  unapplied');
    expect(line()).toBe(' o     app.yaml    1.2 kB');
  });

  it('has no columns when it is a folder', () => {
    const name = 'a-folder-with-a-very-long-name-here';
    const folder = { ...file, path: name, name, depth: 0, folder: true };
    const columns = { width: 40, marks: true, now };
    expect(textOf(fileLine({ row: folder, cursor: true, opened: false }, columns), 40)).toBe(
      '>  + a-folder-with-a-very-long-name-her…',
    );
  });
});

describe('the text of a file', () => {
  const body = (text: string | undefined) => ({
    path: 'a',
    bytes: Buffer.from(text ?? '\0'),
    text,
    certainty: 'certain' as const,
  });

  it('is split at any line end, and a final one starts no line', () => {
    expect(viewedText(body('a\r\nb\n\nc\n')).lines).toEqual(['a', 'b', '', 'c']);
    expect(viewedText(body('a')).lines).toEqual(['a']);
  });

  it('is replaced by a notice for binary and empty files', () => {
    expect(viewedText(body(undefined)).notes.map((line) => textOf(line))).toEqual([
      'Binary file, 1 B. It is not shown as text.',
    ]);
    expect(viewedText(body('')).notes.map((line) => textOf(line))).toEqual(['Empty file.']);
  });
});

describe('a log line', () => {
  const style = { times: 'full-utc', serviceWidth: 5, now } as const;
  const line = { timestamp: '2026-11-21T11:59:58.120Z', serviceName: 'web', logLine: 'GET / 200' };

  it('follows its gutter, time and service', () => {
    expect(textOf(logLine(line, style, none))).toBe(' 2026-11-21T11:59:58.120Z web  GET / 200');
    expect(
      textOf(logLine(line, { ...style, times: 'relative' }, { hasCursor: true, hasMark: false })),
    ).toBe('>  1s web  GET / 200');
    expect(textOf(logLine(line, { ...style, times: 'off' }, none))).toBe(' web  GET / 200');
  });

  it('shows an invalid time unchanged', () => {
    expect(textOf(logLine({ ...line, timestamp: 'noon' }, style, none))).toContain('noon web');
  });

  it('has a mark in its gutter, which the cursor covers', () => {
    const off = { ...style, times: 'off' } as const;
    expect(textOf(logLine(line, off, { hasCursor: false, hasMark: true }))).toBe('*web  GET / 200');
    expect(textOf(logLine(line, off, { hasCursor: true, hasMark: true }))).toBe('>web  GET / 200');
  });

  it('is coloured by the level near its start', () => {
    expect(levelToken('ERROR pay: timeout')).toBe('bad');
    expect(levelToken('{"level":"warn","msg":"slow"}')).toBe('busy');
    expect(levelToken('GET /terrors 200')).toBeUndefined();
    expect(levelToken(`${'x'.repeat(200)} error`)).toBeUndefined();
  });

  it('keeps its colours and drops other escape sequences', () => {
    const spans = logLine({ ...line, logLine: '\x1b[31mred\x1b[0m \x1b[2Hplain' }, style, none);
    expect(spans.find((part) => part.text === 'red')?.style).toMatchObject({ color: 'red' });
    expect(textOf(spans)).toContain('red ^[[2Hplain');
  });
});

describe('row 1', () => {
  const profile = {
    name: 'prod-eu',
    production: true,
    host: 'api.example.com',
    wallet: '0x9f1234567890a1',
  };
  const status = {
    profile,
    subject: undefined,
    reach: { kind: 'up' },
    alerts: [],
    restarts: [],
    unapplied: 0,
    drafts: 0,
    slowLink: false,
    log: { text: 'live 128/s' },
    now,
  } as const;

  it('shows the profile, in upper case on red for production, and the activity', () => {
    const line = statusLine(status, 80);
    expect(line[0]).toEqual({ text: 'PROD-EU', token: 'alert' });
    expect(textOf(line)).toBe('PROD-EU api.example.com 0x9f..a1'.padEnd(70) + 'live 128/s');
  });

  it('draws the log rate if everything else fits', () => {
    const log = { text: 'live 128/s', bars: '__.:=#' };
    const drawn = { ...status, log };
    expect(textOf(statusLine(drawn, 120), 120)).toBe(
      `${'PROD-EU api.example.com 0x9f..a1'.padEnd(103)}__.:=# live 128/s`,
    );
    expect(textOf(statusLine({ ...drawn, drafts: 1 }, 120), 120)).toContain(
      '1 draft | __.:=# live',
    );
    expect(textOf(statusLine(drawn, 119), 119)).not.toContain('__.');
    const subject = 'x'.repeat(96);
    expect(textOf(statusLine({ ...drawn, subject }, 120), 120)).not.toContain('__.');
    expect(textOf(statusLine({ ...drawn, subject }, 120), 120)).toContain(subject);
    expect(textOf(statusLine({ ...status, log: withoutBars(log) }, 120), 120)).not.toContain('__.');
  });

  it('drops wallet and host first in a narrow row', () => {
    const away = {
      kind: 'away',
      since: now - 42_000,
      nextTry: now + 5000,
      error: refused,
    } as const;
    expect(textOf(statusLine({ ...status, reach: away }, 50), 50)).toBe(
      `PROD-EU${' '.repeat(5)}OFFLINE 0:42, retry in 5s | live 128/s`,
    );
    expect(textOf(statusLine({ ...status, reach: away }, 80))).toContain('PROD-EU api.example.com');
  });

  it('shows how long the service has not answered, from 5 s on', () => {
    const silent = { ...status, silentSince: now - 12_000 };
    expect(textOf(statusLine(silent, 80))).toMatch(/a1 +no answer 0:12 \| live 128\/s$/);
    expect(textOf(statusLine(silent, 25), 25)).toBe('PROD-EU no answer 0:12 +1');
    expect(textOf(statusLine(silent, 28), 28)).toBe('PROD-EU no answer 0:12 +live');
    expect(textOf(statusLine({ ...silent, silentSince: now - 4999 }, 80))).not.toContain('answer');
  });

  it('shows a slow link before the rate, and drops the rate first', () => {
    const slow = { ...status, slowLink: true };
    expect(textOf(statusLine(slow, 80))).toMatch(/ slow link \| live 128\/s$/);
    expect(textOf(statusLine(slow, 25), 25)).toBe('PROD-EU   slow link +live');
  });

  it('names what has no room, or counts it', () => {
    const busy = {
      ...status,
      log: undefined,
      alerts: ['failed', 'grant ending'],
      unapplied: 1,
    } as const;
    const at = (width: number, more: object = {}) =>
      textOf(statusLine({ ...busy, ...more }, width), width).replace(/^PROD-EU +/, '');
    expect(at(48)).toBe('1 failing | 1 unapplied | 1 grant ending');
    expect(at(47)).toBe('1 failing | 1 unapplied +grant ending');
    expect(at(40)).toBe('1 failing | 1 unapplied +grant');
    expect(at(36)).toBe('1 failing | 1 unapplied +1');
    expect(at(30)).toBe('1 failing +2');
    expect(at(40, { drafts: 1 })).toBe('1 failing | 1 unapplied +2');
  });

  it('shows the full-screen view instead of the host', () => {
    expect(textOf(statusLine({ ...status, subject: 'shop: web' }, 80))).toMatch(
      /^PROD-EU shop: web/,
    );
  });
});

describe('the row above the keys', () => {
  const away = {
    kind: 'away',
    since: now - 42_000,
    nextTry: now,
    error: { ...refused, status: undefined },
  } as const;

  it('drops a message after 5 s, an error only on Esc', () => {
    const message = { text: 'done', tone: 'plain', at: now } as const;
    expect(textOf(messageLine(message, { kind: 'up' }, now + 4999))).toBe('done');
    expect(textOf(messageLine(message, { kind: 'up' }, now + 5000))).toBe('');
    expect(textOf(messageLine({ ...message, tone: 'bad' }, { kind: 'up' }, now + 1e9))).toBe(
      'done',
    );
  });

  it('shows how long the service has not answered', () => {
    expect(textOf(messageLine(undefined, away, now))).toBe(
      `No answer for ${formatWait(42_000)}. F5 retries.`,
    );
  });
});

describe('the footer', () => {
  it('shows whole entries only, and help always', () => {
    expect(
      textOf(footerLine(commandsIn(registeredCommands, 'deployments'), 'deployments', 80)),
    ).toBe('Enter logs  a create  r restart  X close  d details  / filter  : command  ? help');
    for (let width = 10; width < 80; width += 1) {
      const footer = footerLine(commandsIn(registeredCommands, 'logs'), 'logs', width)
        .map((part) => part.text)
        .join('');
      expect(footer.length).toBeLessThanOrEqual(width);
      expect(footer).toMatch(/(^| {2})\? help$/);
    }
  });
});

describe('the restart box', () => {
  it('shows the affected services and the result of the last attempt', () => {
    const failed = { kind: 'failed', at: now, error: refused, changes: undefined } as const;
    expect(restartSummary(shop.id, shop, failed)).toMatchObject({ label: 'shop' });
    expect(restartSummary(shop.id, shop, failed).lines.join('\n')).toMatch(
      /id 3f0c2a.*\nactive, services web api, 1\/2 running\nFailed at .*: It is overloaded\.\nStops and starts 2 services\./,
    );
  });

  it('reports a deployment that no longer exists', () => {
    expect(restartSummary('x', undefined, undefined).lines).toContain(
      "The service doesn't list it any more.",
    );
  });
});
