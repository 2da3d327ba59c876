import { beforeAll, describe, expect } from 'vitest';
import { operations } from '../../source/contract/routes.ts';
import { everyOperation, ofDeployments, requestFor } from './every-operation.ts';
import { addressOf, give, listed } from './giving.ts';
import { line, own } from './line.ts';
import { contentIn, deploymentIdsIn, done, grantsIn, pathsIn, refused } from './reading.ts';
import { deploy, idle, type MadeDeployment, serviceUnderTest } from './service.ts';
import { connect, following, refusal } from './stream.ts';

const service = await serviceUnderTest();
const { owner, second } = service;

let made: MadeDeployment;
let file: { readonly id: string; readonly name: string; readonly path: string };

beforeAll(async () => {
  made = await deploy(service, { web: idle });
  file = { ...made.place, path: 'a.txt' };
  done(await owner.call('updateFile', { ...file, json: { content: 'as it was' } }));
});

/** Everything that a write could have changed. */
async function everything() {
  const { id, name, path } = file;
  return {
    deployments: [...deploymentIdsIn(await owner.call('listDeployments'))].sort(),
    files: pathsIn(await owner.call('listFiles', { id, name })),
    content: contentIn(await owner.call('getFile', file), path).toString(),
    grants: (await grantsIn(await owner.call('listGrants'))).map((grant) => grant.id).sort(),
  };
}

const wrongTokens = [
  ['without the header', undefined],
  ['with an unknown token', 'no-such-token'],
] as const;

describe('5. Authentication', () => {
  for (const operation of everyOperation) {
    const { method, path } = operations[operation];
    line(
      `Every HTTP request carries the header Authorization with the value Bearer <ACCESS_TOKEN>: ${method} ${path}`,
      [],
      async () => {
        const before = await everything();
        const { id: grant } = await give(service, owner, { to: service.grantee });
        const id = operation === 'revokeGrant' ? grant : made.id;
        for (const [, token] of wrongTokens) {
          const request = requestFor(operation, { ...made, id }, service.grantee);
          refused(await owner.with(token).call(operation, request));
        }
        expect((await listed(owner, grant))?.revoked_at).toBeUndefined();
        done(await owner.call('revokeGrant', { id: grant }));
        const { grants, ...after } = await everything();
        const { grants: given, ...rest } = before;
        expect(after).toEqual(rest);
        // A service may keep the revoked grant, but must not have created another.
        expect(grants.filter((each) => each !== grant)).toEqual(given);
      },
    );
  }

  line('… and with it they are answered', [], async () => {
    done(await owner.call('listDeployments'));
    done(await owner.call('listGrants'));
  });

  line('Grant identity is by wallet address (grantor and grantee).', 'second wallet', async () => {
    const addresses = [await addressOf(service, owner), await addressOf(service, second)];
    expect(new Set(addresses).size).toBe(2);
    const { id, grantor, grantee } = await give(service, owner, { to: addresses[1] ?? '' });
    expect([grantor, grantee]).toEqual(addresses);
    expect(await listed(second, id)).toMatchObject({ grantor, grantee });
  });

  line('Revoking a grant is allowed only to its grantor.', 'second wallet', async () => {
    const { id } = await give(service, owner, { to: await addressOf(service, second) });
    refused(await second.call('revokeGrant', { id }));
    done(await owner.call('revokeGrant', { id }));
  });

  for (const [what, token] of wrongTokens) {
    own(`${what} every operation answers 401 and names the scheme`, async () => {
      for (const operation of everyOperation) {
        const request = requestFor(operation, made, service.grantee);
        const answer = await owner.with(token).call(operation, request);
        expect(answer.status).toBe(401);
        expect(answer.headers['www-authenticate']).toBe('Bearer');
        expect(answer.json).toMatchObject({ success: false, error: { code: 'unauthorized' } });
      }
    });
  }

  own(
    'what belongs to another wallet is 404, as if it were not there',
    async () => {
      for (const operation of ofDeployments) {
        const theirs = await second.call(operation, requestFor(operation, made, service.grantee));
        const none = { ...made, id: `${made.id}0` };
        const nobodys = await second.call(operation, requestFor(operation, none, service.grantee));
        expect(theirs.status).toBe(404);
        expect(theirs.json).toEqual(nobodys.json);
      }
      expect(deploymentIdsIn(await second.call('listDeployments'))).not.toContain(made.id);
    },
    'second wallet',
  );

  own('the log stream accepts the header', async () => {
    await following(service, owner, made.id, async ({ socket }) => {
      expect(socket.readyState).toBe(socket.OPEN);
    });
  });

  own('… or access_token in its query; else 401 before the upgrade', async () => {
    const query = { deploymentId: made.id };
    const anybody = owner.with(undefined);
    const { token = '' } = owner;
    expect(
      await refusal(connect(service, anybody, { ...query, access_token: token })),
    ).toBeUndefined();
    expect(await refusal(connect(service, anybody, query))).toBe(401);
    expect(await refusal(connect(service, owner.with('no-such-token'), query))).toBe(401);
    expect(await refusal(connect(service, anybody, { ...query, access_token: 'x' }))).toBe(401);
  });

  own(
    "… and no other wallet's token: 404",
    async () => {
      expect(await refusal(connect(service, second, { deploymentId: made.id }))).toBe(404);
    },
    'second wallet',
  );

  own('access_token is accepted only by the log stream', async () => {
    const url = `/api/v1/deployments?access_token=${owner.token}`;
    expect((await owner.with(undefined).send('GET', url)).status).toBe(401);
  });
});
