import { describe, expect, it } from 'vitest';
import { type Grant, deriveGrantState } from '../../source/contract/grants.ts';
import { deploy, errorIn, fieldOf, readDeployment, readLines } from './support/bodies.ts';
import { ManualClock } from './support/manual-clock.ts';
import { sharedHost } from './support/shared-host.ts';
import { type Caller, idle, sdlOf } from './support/temporary-host.ts';
import { waitUntilActive } from './support/wait-until-active.ts';

/** A clock whose wall can be set, as a person or NTP does, while its monotonic time goes on. */
class WallClock extends ManualClock {
  #offset = 0;

  override now(): number {
    return super.now() + this.#offset;
  }

  set(seconds: number): void {
    this.#offset += seconds * 1000;
    this.advance(1000);
  }
}

const clock = new WallClock();
const service = sharedHost({ clock });
const grantor = service.as('0xgrantor');
const grantee = service.as('0xgrantee');
const stranger = service.as('0xstranger');

const inSeconds = (seconds: number) => new Date(clock.now() + seconds * 1000).toISOString();

async function give(limit = 10, seconds = 3600): Promise<Grant> {
  const json = { grantee: '0xgrantee', limit, expires_at: inSeconds(seconds) };
  const answer = await grantor.call('createGrant', { json });
  expect(answer.status).toBe(201);
  return fieldOf(answer, 'grant') as Grant;
}

async function listOf(caller: Caller): Promise<readonly Grant[]> {
  return fieldOf(await caller.call('listGrants'), 'grants') as readonly Grant[];
}

async function stateOf(id: string): Promise<string> {
  const grant = (await listOf(grantor)).find((each) => each.id === id);
  return grant === undefined ? 'gone' : deriveGrantState(grant, clock.now());
}

describe('a grant', () => {
  it('is created with nothing spent and listed for its two parties only', async () => {
    const grant = await give(12.5);
    expect(grant).toEqual({
      id: expect.any(String),
      grantor: '0xgrantor',
      grantee: '0xgrantee',
      limit: 12.5,
      spent: 0,
      expires_at: inSeconds(3600),
      created_at: inSeconds(0),
    });
    expect(await listOf(grantor)).toContainEqual(grant);
    expect(await listOf(grantee)).toContainEqual(grant);
    expect(await listOf(stranger)).toEqual([]);
  });

  it('is revoked by its grantor only, immediately and permanently', async () => {
    const { id } = await give();
    expect(errorIn(await grantee.call('revokeGrant', { id }))).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
    expect(errorIn(await stranger.call('revokeGrant', { id })).status).toBe(404);
    expect(await stateOf(id)).toBe('active');
    const revoked = await grantor.call('revokeGrant', { id });
    expect(fieldOf(revoked, 'grant')).toMatchObject({ id, revoked_at: inSeconds(0) });
    expect(await stateOf(id)).toBe('revoked');
    clock.advance(1000);
    expect((await grantor.call('revokeGrant', { id })).body).toEqual(revoked.body);
  });

  it('expires by the clock of the host, which each response carries', async () => {
    const { id } = await give(10, 60);
    clock.advance(59_999);
    expect(await stateOf(id)).toBe('active');
    clock.advance(1);
    expect(await stateOf(id)).toBe('expired');
    const { headers } = await grantor.call('listGrants');
    expect(Date.parse(String(headers['date']))).toBe(Math.floor(clock.now() / 1000) * 1000);
  });

  const good = { grantee: '0xgrantee', limit: 1, expires_at: '2100-01-01T00:00:00Z' };

  it.each<[string, Record<string, unknown>]>([
    ['grantee', { ...good, grantee: undefined }],
    ['grantee', { ...good, grantee: 5 }],
    ['grantee', { ...good, grantee: '' }],
    ['grantee', { ...good, grantee: 'has blanks' }],
    ['grantee', { ...good, grantee: '0xgrantor' }],
    ['grantee', { ...good, grantee: 'x'.repeat(129) }],
    ['limit', { ...good, limit: undefined }],
    ['limit', { ...good, limit: 0 }],
    ['limit', { ...good, limit: -1 }],
    ['limit', { ...good, limit: '5' }],
    ['limit', { ...good, limit: 1e-19 }],
    ['expires_at', { ...good, expires_at: undefined }],
    ['expires_at', { ...good, expires_at: 4_102_444_800_000 }],
    ['expires_at', { ...good, expires_at: 'tomorrow' }],
    ['expires_at', { ...good, expires_at: '2100-02-30T00:00:00Z' }],
    ['expires_at', { ...good, expires_at: '2100-01-01' }],
    ['expires_at', { ...good, expires_at: '2000-01-01T00:00:00Z' }],
  ])('with a wrong %s is refused: %j', async (field, json) => {
    const error = errorIn(await grantor.call('createGrant', { json }));
    expect(error).toMatchObject({ status: 422, code: 'invalid', details: [{ field }] });
  });

  const written = (limit: string) =>
    (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON(limit);

  it.each(['0.1234567890123456789', '10.0000000000000000001', '1e-19'])(
    'with a limit of %s is refused, not rounded',
    async (limit) => {
      const json = { ...good, limit: written(limit) };
      expect(errorIn(await grantor.call('createGrant', { json }))).toMatchObject({
        status: 422,
        details: [{ field: 'limit' }],
      });
    },
  );

  // The grantee's client could not parse a number beyond the range of a double.
  it.each(['9'.repeat(400), '9'.repeat(31), '1e300', `1.${'0'.repeat(900_000)}`])(
    'with a limit of too many digits is refused',
    async (limit) => {
      const json = { ...good, limit: written(limit) };
      const error = errorIn(await grantor.call('createGrant', { json }));
      expect(error).toMatchObject({ status: 422, details: [{ field: 'limit' }] });
      expect(JSON.stringify(await listOf(grantor)).length).toBeLessThan(100_000);
    },
  );

  it.each(['0.123456789012345678', '100000000000000.000000000000000001', '1e-6', '50.00'])(
    'of %s is returned as a number that parses to the nearest double',
    async (limit) => {
      const json = { ...good, limit: written(limit) };
      const grant = fieldOf(await grantor.call('createGrant', { json }), 'grant') as Grant;
      expect(grant.limit).toBe(Number(limit));
    },
  );

  it('accepts a time with an offset and is returned in UTC', async () => {
    const json = { ...good, expires_at: '2100-01-01T02:00:00.5+02:00' };
    const answer = await grantor.call('createGrant', { json });
    expect(fieldOf(answer, 'grant')).toMatchObject({ expires_at: '2100-01-01T00:00:00.500Z' });
  });
});

describe('spending', () => {
  const perSecond = 6_000_000;

  it('is tracked in real time, stops at the limit, and continues with the next payer', async () => {
    const tenant = service.as('0xtenant');
    const json = { grantee: tenant.wallet, limit: 2.5, expires_at: inSeconds(3600) };
    const { id: grantId } = fieldOf(await grantor.call('createGrant', { json }), 'grant') as Grant;
    const { id } = await deploy(tenant, sdlOf({ web: { ...idle, amount: perSecond } }));
    await waitUntilActive(tenant, id);
    const spent = async () => (await listOf(tenant)).find((each) => each.id === grantId)?.spent;
    clock.advance(1000);
    expect(await spent()).toBe(1);
    clock.advance(1000);
    expect(await spent()).toBe(2);
    clock.advance(3000);
    expect(await spent()).toBe(2.5);
    expect(service.host.balance(tenant.wallet)).toBe('997.5');
    expect(await stateOf(grantId)).toBe('limit reached');
    await tenant.call('closeDeployment', { id });
    clock.advance(10_000);
    expect(service.host.balance(tenant.wallet)).toBe('997.5');
  });

  it('ends with a logged suspension, and resumes when there is money', async () => {
    const tenant = service.as('0xpoor');
    service.host.balance(tenant.wallet, '2');
    const { id } = await deploy(tenant, sdlOf({ web: { ...idle, amount: perSecond } }));
    await waitUntilActive(tenant, id);
    clock.advance(2000);
    expect((await readDeployment(tenant, id)).state).not.toBe('suspended');
    clock.advance(1000);
    expect(await readDeployment(tenant, id)).toMatchObject({
      state: 'suspended',
      services: [{ state: 'suspended' }],
    });
    expect((await readLines(tenant, id)).join('\n')).toMatch(/^suspended: .*pays/m);
    expect(errorIn(await tenant.call('restartDeployment', { id }))).toMatchObject({
      status: 409,
      code: 'conflict',
    });

    service.host.balance(tenant.wallet, '100');
    clock.advance(2000);
    expect((await readDeployment(tenant, id)).state).not.toBe('suspended');
    expect((await readLines(tenant, id)).join('\n')).toMatch(/^resumed/m);
    await tenant.call('closeDeployment', { id });
  });

  it('prevents the start of a deployment that nobody can pay for', async () => {
    const tenant = service.as('0xbroke');
    service.host.balance(tenant.wallet, '0');
    const sdl = sdlOf({ web: { ...idle, amount: perSecond } });
    expect((await deploy(tenant, sdl)).state).toBe('suspended');
    const { id } = await deploy(tenant, sdlOf({ web: idle }));
    expect((await readDeployment(tenant, id)).state).not.toBe('suspended');
  });
});

describe('a clock that is set', () => {
  const day = 24 * 3600;
  const set = (seconds: number) => {
    clock.set(seconds);
  };

  it('back makes no expired grant active again, also for the next host', async () => {
    const { id } = await give(10, 60);
    set(120);
    expect(await stateOf(id)).toBe('expired');
    set(-day);
    expect(await stateOf(id)).toBe('expired');
    await service.again();
    expect(await stateOf(id)).toBe('expired');
    const listed = (await listOf(grantee)).find((grant) => grant.id === id);
    expect(listed).toMatchObject({ status: 'expired' });
    set(day);
  });

  it('back pays nothing with an expired grant', async () => {
    const payee = service.as('0xpayee');
    const json = { grantee: '0xpayee', limit: 10, expires_at: inSeconds(60) };
    const made = await grantor.call('createGrant', { json });
    set(120);
    set(-day);
    service.host.balance(payee.wallet, '0');
    const { state } = await deploy(payee, sdlOf({ web: { ...idle, amount: 6_000_000 } }));
    expect([made.status, state]).toEqual([201, 'suspended']);
    set(day);
  });

  it('to a wrong year and back ends the grants of that time, and no later ones', async () => {
    const before = await give(10, 60);
    const years = 70 * 365 * day;
    set(years);
    set(-years);
    const after = await give(10, 60);
    expect([await stateOf(before.id), await stateOf(after.id)]).toEqual(['expired', 'active']);
  });
});
