import { describe, expect } from 'vitest';
import { line, own } from './line.ts';
import { deploymentIdsIn, deploymentIn, done, refused, textsIn } from './reading.ts';
import { deploy, eventually, idle, printing, definitionOf, serviceUnderTest } from './service.ts';

const service = await serviceUnderTest();
const { owner } = service;

const unknown = '00000000-0000-4000-8000-000000000000-999999';

const texts = async (id: string) =>
  textsIn(await owner.call('fetchLogs', { id, query: { limit: 1000 } }));

/** Returns an answer without the services of its deployment, which end after it is closed. */
function withoutServices(json: unknown): object {
  const { deployment, ...rest } = json as { readonly deployment: object };
  return { ...rest, deployment: { ...deployment, services: undefined } };
}

/** Program that writes a line at its start and regularly afterwards. */
const living = `console.log('begun', Math.random()); let n = 0;
  setInterval(() => console.log('alive', n++), 30)`;

describe.concurrent('4. Endpoints: Deployments: List deployments', () => {
  line('GET /api/v1/deployments', [], async () => {
    const [one, other] = [
      await deploy(service, { web: idle }),
      await deploy(service, { web: idle }),
    ];
    const ids = deploymentIdsIn(await owner.call('listDeployments'));
    expect(ids).toEqual(expect.arrayContaining([one.id, other.id]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  own(
    'open ones newest first, then the last closed ones, without definitions',
    async () => {
      const caller = service.wallet('0xlister');
      const made = [];
      for (let count = 0; count < 3; count += 1) {
        made.push((await deploy(service, { web: idle }, { caller })).id);
      }
      expect(deploymentIdsIn(await caller.call('listDeployments'))).toEqual(made.toReversed());
      const [first = '', second = '', third = ''] = made;
      await caller.call('closeDeployment', { id: third });
      await caller.call('closeDeployment', { id: first });
      const list = await caller.call('listDeployments');
      expect(deploymentIdsIn(list)).toEqual([second, first, third]);
      expect(list.text).not.toContain('"sdl"');
    },
    'balances',
  );

  own('{success, deployments: […], total}', async () => {
    const { json } = await owner.call('listDeployments');
    expect(json).toEqual({
      success: true,
      deployments: expect.any(Array),
      total: expect.any(Number),
    });
  });

  own(
    'limit, offset and state select others',
    async () => {
      const caller = service.wallet('0xpager');
      const made = [];
      for (let count = 0; count < 3; count += 1) {
        made.push((await deploy(service, { web: idle }, { caller })).id);
      }
      const [first = '', second = '', third = ''] = made;
      await caller.call('closeDeployment', { id: third });
      const select = async (query: Readonly<Record<string, string | number>>) =>
        deploymentIdsIn(await caller.call('listDeployments', { query }));
      expect(await select({ limit: 1, offset: 1 })).toEqual([first]);
      expect(await select({ state: 'closed' })).toEqual([third]);
      expect(await select({ limit: 1 })).toEqual([second]);
      expect((await caller.call('listDeployments', { query: { limit: 0 } })).status).toBe(422);
    },
    'balances',
  );
});

describe.concurrent('4. Endpoints: Deployments: Create deployment', () => {
  line(
    'POST /api/v1/deployments: JSON body with sdl (string, the service definition text)',
    [],
    async () => {
      const { id, created } = await deploy(service, { web: idle, job: idle });
      expect(deploymentIn(created).value.id).toBe(id);
      expect(deploymentIdsIn(await owner.call('listDeployments'))).toContain(id);
    },
  );

  line('… each of its services runs', 'programs', async () => {
    const { id } = await deploy(service, {
      web: printing(['web runs']),
      job: printing(['job runs']),
    });
    await eventually(async () => {
      expect(await texts(id)).toEqual(expect.arrayContaining(['web runs', 'job runs']));
    });
  });

  own('an invalid service definition creates no deployment', async () => {
    for (const json of [{ sdl: '' }, { sdl: 'just a text' }, {}]) {
      refused(await owner.call('createDeployment', { json }));
    }
  });

  own('201, {success, deployment: {…}}', async () => {
    const { created } = await deploy(service, { web: idle });
    expect(created.status).toBe(201);
    expect(created.json).toEqual({
      success: true,
      deployment: expect.objectContaining({ id: expect.any(String) }),
    });
  });

  own('an SDL with a mistake is rejected with its line and column', async () => {
    const sdl = 'version: "2.0"\nservices:\n  web:\n    command: node server.js\n';
    const { status, json } = await owner.call('createDeployment', { json: { sdl } });
    expect(status).toBe(422);
    expect(json).toMatchObject({
      success: false,
      error: {
        code: 'invalid-sdl',
        details: expect.arrayContaining([
          expect.objectContaining({ field: 'services.web.command', line: 4, column: 14 }),
        ]),
      },
    });
  });

  own('without a text sdl: 422, without a body: 400', async () => {
    for (const json of [{}, { sdl: 1 }, []]) {
      expect((await owner.call('createDeployment', { json })).status).toBe(422);
    }
    expect((await owner.call('createDeployment')).status).toBe(400);
  });

  own(
    'the name is that of the first service, told apart by a number',
    async () => {
      const caller = service.wallet('0xnamer');
      const names = [];
      for (let count = 0; count < 2; count += 1) {
        const { created } = await deploy(service, { shop: idle }, { caller });
        names.push(deploymentIn(created).value.name);
      }
      expect(names).toEqual(['shop', 'shop-2']);
    },
    'balances',
  );
});

describe.concurrent('4. Endpoints: Deployments: Get deployment', () => {
  line('GET /api/v1/deployments/:id', [], async () => {
    const { id } = await deploy(service, { web: idle });
    expect(deploymentIn(await owner.call('getDeployment', { id })).value.id).toBe(id);
  });

  own('an unknown deployment is not found', async () => {
    refused(await owner.call('getDeployment', { id: unknown }));
  });

  own('the sdl is returned unchanged', async () => {
    const sdl = `# a comment that stays\n${definitionOf({ web: idle })}\n`;
    const created = done(await owner.call('createDeployment', { json: { sdl } }));
    const { id } = deploymentIn(created).value;
    expect(deploymentIn(await owner.call('getDeployment', { id })).value.sdl).toBe(sdl);
    done(await owner.call('closeDeployment', { id }));
  });
});

describe.concurrent('4. Endpoints: Deployments: Close deployment', () => {
  line('POST /api/v1/deployments/:id/close, request: none', [], async () => {
    const [closed, other] = [
      await deploy(service, { web: idle }),
      await deploy(service, { web: idle }),
    ];
    done(await owner.call('closeDeployment', { id: closed.id }));
    expect(deploymentIdsIn(await owner.call('listDeployments'))).toContain(other.id);
  });

  line('… its services end', 'programs', async () => {
    const { id } = await deploy(service, { web: living });
    await eventually(async () => {
      expect(await texts(id)).toContain('alive 2');
    });
    const other = await deploy(service, { web: living });
    done(await owner.call('closeDeployment', { id }));
    // The closed log must stay equal while the other program keeps writing.
    await eventually(async () => {
      const before = await owner.call('fetchLogs', { id, query: { limit: 1000 } });
      const count = (await texts(other.id)).length;
      await eventually(async () => {
        expect((await texts(other.id)).length).toBeGreaterThan(count + 10);
      });
      expect((await owner.call('fetchLogs', { id, query: { limit: 1000 } })).text).toBe(
        before.text,
      );
    });
  });

  own('an unknown deployment is not closed', async () => {
    refused(await owner.call('closeDeployment', { id: unknown }));
  });

  own('200, {success, deployment} with closedAt; again: the same', async () => {
    const { id } = await deploy(service, { web: idle });
    const answers = [
      await owner.call('closeDeployment', { id }),
      await owner.call('closeDeployment', { id }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [first, again] = answers.map(({ json }) => withoutServices(json));
    expect(first).toMatchObject({
      success: true,
      deployment: { id, state: 'closed', closedAt: expect.stringMatching(/Z$/) },
    });
    expect(again).toEqual(first);
  });

  own('a closed deployment can be read, but not restarted or changed: 409', async () => {
    const { id, place } = await deploy(service, { web: idle });
    const at = { ...place, path: 'a.txt' };
    done(await owner.call('updateFile', { ...at, json: { content: 'kept' } }));
    done(await owner.call('closeDeployment', { id }));
    expect((await owner.call('restartDeployment', { id })).status).toBe(409);
    const json = { content: 'changed' };
    expect((await owner.call('updateFile', { ...at, json })).status).toBe(409);
    expect((await owner.call('deleteFile', at)).status).toBe(409);
    expect((await owner.call('getFile', at)).text).toContain('kept');
    done(await owner.call('fetchLogs', { id }));
  });

  own('a body is ignored', async () => {
    const { id } = await deploy(service, { web: idle });
    for (const operation of ['restartDeployment', 'closeDeployment'] as const) {
      for (const type of ['application/json', 'text/plain']) {
        done(await owner.call(operation, { id, headers: { 'content-type': type } }));
        if (operation === 'closeDeployment') done(await owner.call(operation, { id, json: [] }));
      }
    }
  });
});

describe.concurrent('4. Endpoints: Deployments: Restart deployment', () => {
  line('POST /api/v1/deployments/:id/restart, request: none', 'programs', async () => {
    const { id } = await deploy(service, { web: living });
    const begun = async () => (await texts(id)).filter((text) => text.startsWith('begun'));
    await eventually(async () => {
      expect(await begun()).toHaveLength(1);
    });
    done(await owner.call('restartDeployment', { id }));
    await eventually(async () => {
      expect(new Set(await begun()).size).toBe(2);
    });
  });

  line('… the deployment stays the same one, with its files', [], async () => {
    const { id, place } = await deploy(service, { web: idle });
    const at = { ...place, path: 'a.txt' };
    done(await owner.call('updateFile', { ...at, json: { content: 'kept' } }));
    done(await owner.call('restartDeployment', { id }));
    expect(deploymentIn(await owner.call('getDeployment', { id })).value.id).toBe(id);
    expect((await owner.call('getFile', at)).text).toContain('kept');
  });

  own('an unknown deployment is not restarted', async () => {
    refused(await owner.call('restartDeployment', { id: unknown }));
  });

  own('200, {success, deployment} restarting, with restartedAt', async () => {
    const { id } = await deploy(service, { web: idle });
    const answer = await owner.call('restartDeployment', { id });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      success: true,
      deployment: {
        id,
        state: expect.stringMatching(/^(re)?starting$/),
        restartedAt: expect.stringMatching(/Z$/),
      },
    });
  });
});
