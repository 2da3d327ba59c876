import { describe, expect } from 'vitest';
import { deriveGrantState } from '../../source/contract/grants.ts';
import type { Caller } from './caller.ts';
import { addressOf, give, inSeconds, listed } from './giving.ts';
import { line, own } from './line.ts';
import { deploymentIn, done, grantIn, refused, textsIn } from './reading.ts';
import { deploy, eventually, idle, onePerSecond, serviceUnderTest } from './service.ts';
import { foreignTarget } from './target.ts';

const service = await serviceUnderTest();
const { owner, second } = service;

/** Returns the current state of a grant in the list, in the contract's words. */
async function stateOf(caller: Caller, id: string): Promise<string> {
  const grant = await listed(caller, id);
  return grant === undefined ? 'gone' : deriveGrantState(grant, Date.now());
}

/** Lifetime in seconds of a grant that expires during a test; long enough for a slow service. */
const soon = foreignTarget === undefined ? 2.5 : 5;

/** Creates two wallets, the second without a balance, and a grant between them. */
async function pair(name: string, terms: { readonly limit?: number; readonly seconds?: number }) {
  const grantor = service.wallet(`0x${name}-grantor`, '100');
  const grantee = service.wallet(`0x${name}-grantee`, '0');
  const grant = await give(service, grantor, { to: `0x${name}-grantee`, ...terms });
  return { grantor, grantee, id: grant.id };
}

/** Creates a deployment that costs 1 a second, and returns a reader of its state. */
async function spending(caller: Caller) {
  const { id } = await deploy(service, { web: idle }, { caller, price: onePerSecond });
  const state = async () =>
    deploymentIn(await caller.call('getDeployment', { id })).value.state ?? '';
  return { id, state };
}

const blocked = async ({ state }: { readonly state: () => Promise<string> }) => {
  await eventually(async () => {
    expect(await state()).toBe('suspended');
  });
};

const runs = async ({ state }: { readonly state: () => Promise<string> }) => {
  await eventually(async () => {
    expect(await state()).toBe('active');
  });
};

describe.concurrent('3. States and transitions: grants', () => {
  line('POST /api/v1/grants, request accepted: active, spent is 0', [], async () => {
    const grant = await give(service, owner, { to: service.grantee });
    expect(grant.spent).toBe(0);
    expect(await stateOf(owner, grant.id)).toBe('active');
  });

  line('… the grantee may spend immediately.', 'balances', async () => {
    const { grantee, id } = await pair('spender', {});
    await runs(await spending(grantee));
    await eventually(async () => {
      expect((await listed(grantee, id))?.spent).toBeGreaterThan(0);
    });
  });

  line('active → DELETE /api/v1/grants/:id, caller is the grantor → revoked', [], async () => {
    const { id } = await give(service, owner, { to: service.grantee });
    done(await owner.call('revokeGrant', { id }));
    expect(await stateOf(owner, id)).toMatch(/^(revoked|gone)$/);
  });

  line('… The grantee immediately loses spending access.', 'balances', async () => {
    const { grantor, grantee, id } = await pair('loser', {});
    const deployment = await spending(grantee);
    await eventually(async () => {
      expect((await listed(grantor, id))?.spent).toBeGreaterThan(0);
    });
    done(await grantor.call('revokeGrant', { id }));
    const spent = (await listed(grantor, id))?.spent;
    await blocked(deployment);
    expect((await listed(grantor, id))?.spent).toBe(spent);
  });

  line('active → time reaches expires_at → expired', [], async () => {
    const { id } = await give(service, owner, { to: service.grantee, seconds: soon });
    expect(await stateOf(owner, id)).toBe('active');
    await eventually(async () => {
      expect(await stateOf(owner, id)).toMatch(/^(expired|gone)$/);
    });
  });

  line('… The grantee can no longer spend.', 'balances', async () => {
    const { grantee, id } = await pair('late', { seconds: 1.5 });
    await blocked(await spending(grantee));
    expect(await stateOf(grantee, id)).toBe('expired');
    expect((await listed(grantee, id))?.spent).toBeLessThan(3);
  });

  line('An expired grant cannot be renewed; a new grant must be created.', [], async () => {
    const { id, grantee } = await give(service, owner, { to: service.grantee, seconds: soon });
    await eventually(async () => {
      expect(await stateOf(owner, id)).toMatch(/^(expired|gone)$/);
    });
    const before = await listed(owner, id);
    for (const method of ['PUT', 'PATCH', 'POST'] as const) {
      const body = JSON.stringify({ grantee, limit: 99, expires_at: inSeconds(3600) });
      const headers = { 'content-type': 'application/json' };
      refused(await owner.send(method, `/api/v1/grants/${id}`, { headers, body }));
    }
    const anew = await give(service, owner, { to: service.grantee });
    expect(anew.id).not.toBe(id);
    expect(await stateOf(owner, anew.id)).toBe('active');
    const after = await listed(owner, id);
    // A service may note by itself that time has ended a grant.
    expect(after).toEqual(before && { ...before, status: after?.status });
    expect(await stateOf(owner, id)).toMatch(/^(expired|gone)$/);
  });

  line(
    'active → spending reaches limit, spent equals limit → limit reached',
    'balances',
    async () => {
      const { grantor, grantee, id } = await pair('limited', { limit: 1.25 });
      await spending(grantee);
      await eventually(async () => {
        expect(await stateOf(grantor, id)).toBe('limit reached');
      });
      expect((await listed(grantor, id))?.spent).toBe(1.25);
      expect(service.balance('0xlimited-grantor')).toBe('98.75');
    },
  );

  line(
    '… Further spending is blocked until the grantor creates a new grant.',
    'balances',
    async () => {
      const { grantor, grantee, id } = await pair('blocked', { limit: 1.5 });
      const deployment = await spending(grantee);
      await blocked(deployment);
      expect((await listed(grantor, id))?.spent).toBe(1.5);
      const anew = await give(service, grantor, { to: '0xblocked-grantee' });
      await runs(deployment);
      await eventually(async () => {
        expect((await listed(grantor, anew.id))?.spent).toBeGreaterThan(0);
      });
      expect((await listed(grantor, id))?.spent).toBe(1.5);
    },
  );
});

describe.concurrent('3. States and transitions: rules', () => {
  line('1. Only the grantor can revoke a grant.', 'second wallet', async () => {
    const address = await addressOf(service, second);
    const { id } = await give(service, owner, { to: address });
    refused(await second.call('revokeGrant', { id }));
    expect(await stateOf(second, id)).toBe('active');
    expect(await stateOf(owner, id)).toBe('active');
    const other = await give(service, owner, { to: service.grantee });
    refused(await second.call('revokeGrant', { id: other.id }));
    expect(await stateOf(owner, other.id)).toBe('active');
  });

  line('2. The grantee cannot modify or extend a grant.', 'second wallet', async () => {
    const address = await addressOf(service, second);
    const grant = await give(service, owner, { to: address, limit: 2 });
    const { grantor } = grant;
    const terms = { grantor, grantee: address, limit: 99, expires_at: inSeconds(86_400) };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(terms);
    for (const method of ['PUT', 'PATCH', 'POST'] as const) {
      refused(await second.send(method, `/api/v1/grants/${grant.id}`, { headers, body }));
    }
    for (const method of ['PUT', 'PATCH'] as const) {
      const whole = JSON.stringify({ id: grant.id, ...terms });
      refused(await second.send(method, '/api/v1/grants', { headers, body: whole }));
    }
    const { limit, expires_at: expires } = (await listed(owner, grant.id)) ?? {};
    expect({ limit, expires }).toEqual({ limit: 2, expires: grant.expires_at });
  });

  line(
    '… nor make one in the name of the grantor: the caller of "create grant" is its grantor.',
    'second wallet',
    async () => {
      const { grantor } = await give(service, owner, { to: service.grantee });
      const json = { grantor, grantee: service.grantee, limit: 1, expires_at: inSeconds(600) };
      const answer = await second.call('createGrant', { json });
      if (answer.status >= 300) return;
      const grant = grantIn(answer);
      expect(grant.grantor).not.toBe(grantor);
      done(await second.call('revokeGrant', { id: grant.id }));
    },
  );

  line(
    '3. A grantee may hold several active grants from different grantors.',
    'second wallet',
    async () => {
      const ids = [];
      for (const caller of [owner, second, owner]) {
        const { id } = await give(service, caller, { to: service.grantee });
        expect(await stateOf(caller, id)).toBe('active');
        ids.push(id);
      }
      expect(new Set(ids).size).toBe(3);
      expect(await stateOf(owner, ids[0] ?? '')).toBe('active');
    },
  );

  line('… and sees them all', 'balances', async () => {
    const grantee = service.wallet('0xheld');
    for (const name of ['0xfirst', '0xother']) {
      const { id } = await give(service, service.wallet(name), { to: '0xheld' });
      expect(await stateOf(grantee, id)).toBe('active');
      expect(await listed(grantee, id)).toMatchObject({ grantor: name, grantee: '0xheld' });
    }
  });
});

describe.concurrent('3. States and transitions: what our host adds', () => {
  own('a revoked grant stays in the list with revoked_at', async () => {
    const { id } = await give(service, owner, { to: service.grantee });
    done(await owner.call('revokeGrant', { id }));
    expect((await listed(owner, id))?.revoked_at).toMatch(/^\d{4}-.*Z$/);
  });

  own('a second revocation has no effect', async () => {
    const { id } = await give(service, owner, { to: service.grantee });
    const once = done(await owner.call('revokeGrant', { id }));
    expect(done(await owner.call('revokeGrant', { id })).json).toEqual(once.json);
  });

  own(
    'a wallet starts with 1000',
    async () => {
      expect(service.balance('0xnobody-yet')).toBe('1000');
    },
    'balances',
  );

  own(
    'the soonest-expiring grant pays first, the own balance last',
    async () => {
      const grantee = service.wallet('0xpayer', '10');
      const grantor = service.wallet('0xlender', '100');
      const later = await give(service, grantor, { to: '0xpayer', seconds: 7200 });
      const sooner = await give(service, grantor, { to: '0xpayer', seconds: 3600, limit: 0.5 });
      await spending(grantee);
      await eventually(async () => {
        expect((await listed(grantee, later.id))?.spent).toBeGreaterThan(0);
      });
      expect((await listed(grantee, sooner.id))?.spent).toBe(0.5);
      expect(service.balance('0xpayer')).toBe('10');
    },
    'balances',
  );

  own(
    'a deployment that nobody pays for is suspended, which its log says, and resumes',
    async () => {
      const poor = service.wallet('0xpoor', '0');
      const deployment = await spending(poor);
      expect(await deployment.state()).toBe('suspended');
      const texts = async () => textsIn(await poor.call('fetchLogs', { id: deployment.id }));
      expect((await texts()).join('\n')).toMatch(/^suspended: /m);
      refused(await poor.call('restartDeployment', { id: deployment.id }));
      service.balance('0xpoor', '100');
      await runs(deployment);
      expect((await texts()).join('\n')).toMatch(/^resumed/m);
    },
    'balances',
  );

  own('deployments are starting, active, restarting and closed', async () => {
    const { id, created } = await deploy(service, { web: idle });
    expect(deploymentIn(created).value.state).toBe('starting');
    const state = async () =>
      deploymentIn(await owner.call('getDeployment', { id })).value.state ?? '';
    await runs({ state });
    const restarted = await owner.call('restartDeployment', { id });
    expect(deploymentIn(restarted).value.state).toBe('restarting');
    await runs({ state });
    expect(deploymentIn(await owner.call('closeDeployment', { id })).value.state).toBe('closed');
    expect(await state()).toBe('closed');
  });

  own('a deployment whose program fails repeatedly is failed', async () => {
    const { id } = await deploy(service, { web: 'process.exit(3)' });
    await eventually(async () => {
      const { value, services } = deploymentIn(await owner.call('getDeployment', { id }));
      expect(value.state).toBe('failed');
      expect(services?.[0]).toMatchObject({ exitCode: 3 });
    });
  });
});
