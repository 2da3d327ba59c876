import * as fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../source/client/client.ts';
import { fitLine } from '../../../source/view/text/fit.ts';
import { grantColumns } from '../../../source/view/grants/columns.ts';
import { grantDetails } from '../../../source/view/grants/details.ts';
import { grantLine } from '../../../source/view/grants/rows.ts';
import type { Line } from '../../../source/view/text/line.ts';
import { deploy } from '../support/bodies.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Caller, idle, sdlOf, temporaryHost } from '../support/temporary-host.ts';
import { waitUntilActive } from '../support/wait-until-active.ts';

const day = 86_400_000;
const blocksADay = 14_400n;
const atomsInMicroUnit = 10n ** 12n;

/** Returns the cost of a day as a decimal; the price is in millionths of a micro-unit per block. */
function dayCosts(millionths: bigint): string {
  const atoms = (millionths * atomsInMicroUnit * blocksADay) / 1_000_000n;
  const digits = atoms.toString().padStart(19, '0');
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, '');
}

/** Creates a deployment. Resolves when it runs, since only then time costs. */
async function run(owner: Caller, amount: string): Promise<void> {
  const { id } = await deploy(owner, sdlOf({ web: { ...idle, amount } }));
  await waitUntilActive(owner, id);
}

const words = (line: Line) =>
  fitLine(line, 200)
    .map((span) => span.text)
    .join('')
    .trim()
    .split(/\s+/);

it.each([
  ['0.1', 100_000n],
  ['0.333', 333_000n],
  ['1e-6', 1n],
  ['1000000.333001', 1_000_000_333_001n],
])(
  'at a price of %s the screen and the ledger agree to the last digit for a day',
  async (amount, millionths) => {
    const clock = new ManualClock();
    const service = await temporaryHost({ clock });
    onTestFinished(() => service.remove());
    const grantor = service.as('0xgrantor');
    const tenant = service.as('0xtenant');
    const limit = Number(dayCosts(millionths)) * 2;
    const json = {
      grantee: tenant.wallet,
      limit,
      expires_at: new Date(clock.now() + 2 * day).toISOString(),
    };
    service.host.balance(grantor.wallet, '1000000');
    await grantor.call('createGrant', { json });
    await run(tenant, amount);
    const client = createClient({ baseUrl: service.host.baseUrl, token: grantor.token });

    const shown = async () => {
      const list = await client.grants.list();
      const read = list.ok ? list.value[0] : undefined;
      if (read === undefined) throw new Error('no grant');
      const grant = { read, caller: grantor.wallet, book: [], rate: undefined };
      const rows = grantDetails(grant, clock.now()).map(({ line }) => words(line));
      return {
        spent: rows.find(([name]) => name === 'spent')?.[1],
        list: grantLine({ ...grant, cursor: false }, grantColumns(200), clock.now()),
      };
    };
    const before = atomsOf(service.host.balance(grantor.wallet));

    const leaps = fc.sample(fc.integer({ min: 1, max: day / 20 }), { numRuns: 12, seed: 1 });
    let left = day;
    for (const ms of [...leaps, day]) {
      const leap = Math.min(ms, left);
      left -= leap;
      clock.leap(leap);
      const charged = before - atomsOf(service.host.balance(grantor.wallet));
      expect(atomsOf((await shown()).spent ?? '')).toBe(charged);
    }
    // The last partial second is charged with the next one.
    clock.leap(6000);
    const { spent, list } = await shown();
    expect(atomsOf(spent ?? '')).toBe(before - atomsOf(service.host.balance(grantor.wallet)));
    const sixSeconds = atomsOf(dayCosts(millionths)) / blocksADay;
    expect(atomsOf(spent ?? '')).toBe(atomsOf(dayCosts(millionths)) + sixSeconds);
    expect(words(list).join(' ')).not.toMatch(/(\S+)\/\1 /);
    await client.close();
  },
);

it.each([
  ['0.1', 100_000n],
  ['0.333', 333_000n],
  ['1e-6', 1n],
])(
  'at a price of %s the grant and then the tenant pay exactly the cost',
  async (amount, millionths) => {
    const clock = new ManualClock();
    const service = await temporaryHost({ clock });
    onTestFinished(() => service.remove());
    const grantor = service.as('0xgrantor');
    const tenant = service.as('0xtenant');
    // The grant is used up during the night; the tenant pays for the rest of the day.
    const limit = Number(dayCosts(millionths)) / 3;
    const expires_at = new Date(clock.now() + 2 * day).toISOString();
    await grantor.call('createGrant', { json: { grantee: tenant.wallet, limit, expires_at } });
    await run(tenant, amount);
    const client = createClient({ baseUrl: service.host.baseUrl, token: tenant.token });
    const balanceOf = (wallet: string) => atomsOf(service.host.balance(wallet));
    const before = { grantor: balanceOf(grantor.wallet), tenant: balanceOf(tenant.wallet) };

    const lost = async () => {
      const list = await client.grants.list();
      const read = list.ok ? list.value[0] : undefined;
      if (read === undefined) throw new Error('no grant');
      const grant = { read, caller: tenant.wallet, book: [], rate: undefined };
      const rows = grantDetails(grant, clock.now()).map(({ line }) => words(line));
      return {
        shown: atomsOf(rows.find(([name]) => name === 'spent')?.[1] ?? ''),
        grantor: before.grantor - balanceOf(grantor.wallet),
        tenant: before.tenant - balanceOf(tenant.wallet),
        row: words(grantLine({ ...grant, cursor: false }, grantColumns(200), clock.now())).join(
          ' ',
        ),
      };
    };

    const atomsADay = atomsOf(dayCosts(millionths));
    for (let hour = 0; hour < 24; hour += 1) {
      clock.leap(day / 24);
      const { shown, grantor: byGrant, tenant: bySelf } = await lost();
      expect(shown).toBe(byGrant);
      // The tenant pays nothing before the grant is used up, and the payments equal the usage.
      expect(bySelf === 0n || byGrant === atomsOf(plainOf(limit))).toBe(true);
      const used = (atomsADay * BigInt(hour + 1)) / 24n;
      const sixSeconds = atomsADay / blocksADay;
      expect(byGrant + bySelf <= used && byGrant + bySelf >= used - sixSeconds).toBe(true);
    }
    clock.leap(6000);
    const end = await lost();
    expect(end.grantor + end.tenant).toBe(atomsADay + atomsADay / blocksADay);
    expect(end.shown).toBe(atomsOf(plainOf(limit)));
    expect(end.row).toMatch(/limit reached$/);
    await client.close();
  },
);

/** Matches a JSON number without an exponent. */
function plainOf(value: number): string {
  return value.toFixed(18).replace(/\.?0+$/, '');
}

/** Parses a plain decimal to units of 10^-18, independently of the program's own parser. */
function atomsOf(text: string): bigint {
  const [, whole = '', decimals = ''] = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (whole === '') throw new Error(`no plain decimal: ${text}`);
  return BigInt(whole + decimals.padEnd(18, '0'));
}
