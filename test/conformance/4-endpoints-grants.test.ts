import { describe, expect } from 'vitest';
import { addressOf, ask, give, inSeconds, listed } from './giving.ts';
import { line, own } from './line.ts';
import { done, grantIn, grantsIn, refused } from './reading.ts';
import { serviceUnderTest } from './service.ts';

const service = await serviceUnderTest();
const { owner, second } = service;

describe('4. Endpoints: Spend grants: Create grant', () => {
  line(
    'POST /api/v1/grants: JSON body: grantee (string, wallet address), limit (number, decimal amount), expires_at (string, ISO 8601 UTC timestamp)',
    [],
    async () => {
      const json = { grantee: service.grantee, limit: 12.5, expires_at: inSeconds(600) };
      const answer = done(await owner.call('createGrant', { json }));
      const grant = grantIn(answer);
      expect(grant).toMatchObject({ grantee: json.grantee, limit: 12.5, spent: 0 });
      expect(Date.parse(grant.expires_at)).toBeGreaterThan(Date.parse(json.expires_at) - 1000);
      expect(Date.parse(grant.expires_at)).toBeLessThanOrEqual(Date.parse(json.expires_at));
      done(await owner.call('revokeGrant', { id: grant.id }));
    },
  );

  line('… envelope with success (boolean) and grant (Grant object with spent 0)', [], async () => {
    const { json } = await ask(service, owner, { to: service.grantee, limit: 0.1 });
    expect(json).toMatchObject({ success: true, grant: { limit: 0.1, spent: 0 } });
  });

  own('201', async () => {
    expect((await ask(service, owner, { to: service.grantee })).status).toBe(201);
  });

  own('without all three fields, limit > 0 and expires_at in the future: 422', async () => {
    const good = { grantee: service.grantee, limit: 1, expires_at: inSeconds(600) };
    const wrong: readonly (readonly [string, unknown])[] = [
      ['grantee', undefined],
      ['grantee', 5],
      ['grantee', ''],
      ['grantee', 'has blanks'],
      ['limit', undefined],
      ['limit', 0],
      ['limit', -1],
      ['limit', '5'],
      ['expires_at', undefined],
      ['expires_at', 'tomorrow'],
      ['expires_at', '2100-02-30T00:00:00Z'],
      ['expires_at', inSeconds(-60)],
    ];
    const before = await grantsIn(await owner.call('listGrants'));
    for (const [field, value] of wrong) {
      const answer = await owner.call('createGrant', { json: { ...good, [field]: value } });
      expect(answer.status).toBe(422);
      expect(answer.json).toMatchObject({ success: false, error: { details: [{ field }] } });
    }
    expect(await grantsIn(await owner.call('listGrants'))).toEqual(before);
  });

  own('to oneself: 422', async () => {
    const { grantor } = await give(service, owner, { to: service.grantee });
    const json = { grantee: grantor, limit: 1, expires_at: inSeconds(600) };
    expect((await owner.call('createGrant', { json })).status).toBe(422);
  });
});

describe('4. Endpoints: Spend grants: List grants', () => {
  line(
    'GET /api/v1/grants: it returns both the grants the caller created as grantor …',
    [],
    async () => {
      const made = [];
      for (const limit of [1, 2.5]) {
        made.push(await give(service, owner, { to: service.grantee, limit }));
      }
      for (const grant of made) {
        const { limit, spent, grantee } = (await listed(owner, grant.id)) ?? {};
        expect({ limit, spent, grantee }).toEqual({
          limit: grant.limit,
          spent: 0,
          grantee: service.grantee,
        });
      }
    },
  );

  line('… and the grants given to the caller as grantee', 'second wallet', async () => {
    const address = await addressOf(service, second);
    const { id, grantor } = await give(service, owner, { to: address, limit: 3 });
    expect(await listed(second, id)).toMatchObject({ id, grantor, grantee: address, limit: 3 });
    expect(await listed(owner, id)).toMatchObject({ id, grantor, grantee: address, limit: 3 });
  });

  line('… and none between others', 'second wallet', async () => {
    const { id } = await give(service, owner, { to: service.grantee });
    expect(await listed(second, id)).toBeUndefined();
  });

  own('{success, grants: […]}, oldest first', async () => {
    const { id } = await give(service, owner, { to: service.grantee });
    const answer = await owner.call('listGrants');
    expect(answer.json).toEqual({ success: true, grants: expect.any(Array) });
    const grants = await grantsIn(answer);
    expect(grants.at(-1)?.id).toBe(id);
    const times = grants.map(({ created_at: created }) => created);
    expect(times).toEqual(times.toSorted());
  });
});

describe('4. Endpoints: Spend grants: Revoke grant', () => {
  line('DELETE /api/v1/grants/:id, request: none', [], async () => {
    const { id } = await give(service, owner, { to: service.grantee });
    const other = await give(service, owner, { to: service.grantee });
    done(await owner.call('revokeGrant', { id }));
    const left = await listed(owner, other.id);
    expect(left?.revoked_at).toBeUndefined();
    expect(left?.id).toBe(other.id);
  });

  line('… only the grantor may call it', 'second wallet', async () => {
    const address = await addressOf(service, second);
    const { id } = await give(service, owner, { to: address });
    refused(await second.call('revokeGrant', { id }));
    const after = await listed(second, id);
    expect(after).toMatchObject({ id });
    expect(after?.revoked_at).toBeUndefined();
  });

  own('an unknown grant is not revoked', async () => {
    refused(await owner.call('revokeGrant', { id: '00000000-0000-4000-8000-000000000000' }));
  });

  own(
    '403 for the grantee, 404 for anybody else and for what is not there',
    async () => {
      const address = await addressOf(service, second);
      const { id } = await give(service, owner, { to: address });
      expect((await second.call('revokeGrant', { id })).status).toBe(403);
      const other = await give(service, owner, { to: service.grantee });
      expect((await second.call('revokeGrant', { id: other.id })).status).toBe(404);
      expect((await owner.call('revokeGrant', { id: 'none' })).status).toBe(404);
    },
    'second wallet',
  );

  own('200, {success, grant} with revoked_at', async () => {
    const { id } = await give(service, owner, { to: service.grantee });
    const answer = await owner.call('revokeGrant', { id });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      success: true,
      grant: { id, spent: 0, revoked_at: expect.stringMatching(/Z$/) },
    });
  });
});
