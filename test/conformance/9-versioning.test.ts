import { beforeAll, describe, expect } from 'vitest';
import { operations } from '../../source/contract/routes.ts';
import { everyOperation, requestFor } from './every-operation.ts';
import { give } from './giving.ts';
import { line, own } from './line.ts';
import { deploymentIn, done, grantIn } from './reading.ts';
import { deploy, idle, type MadeDeployment, serviceUnderTest } from './service.ts';

const service = await serviceUnderTest();
const { owner } = service;

let made: MadeDeployment;

beforeAll(async () => {
  made = await deploy(service, { web: idle });
});

describe('9. Versioning', () => {
  for (const operation of everyOperation) {
    const { method, path } = operations[operation];
    line(
      `The version is part of the path: all endpoints begin with /api/v1: ${method} ${path}`,
      [],
      async () => {
        const target =
          operation === 'closeDeployment' ? await deploy(service, { web: idle }) : made;
        const { id: grant } = await give(service, owner, { to: service.grantee });
        const id = operation === 'revokeGrant' ? grant : target.id;
        const request = requestFor(operation, { ...target, id }, service.grantee);
        const { name, path: file } = request;
        const json = { content: 'as it was' };
        done(await owner.call('updateFile', { id: target.id, name, path: file, json } as const));
        const answer = done(await owner.call(operation, request));
        if (operation === 'createDeployment') {
          done(await owner.call('closeDeployment', { id: deploymentIn(answer).value.id }));
        }
        if (operation === 'createGrant') {
          done(await owner.call('revokeGrant', { id: grantIn(answer).id }));
        }
      },
    );
  }

  own('other versions are not found', async () => {
    for (const url of ['/api/v2/deployments', '/api/deployments', '/v1/grants', '/deployments']) {
      expect((await owner.send('GET', url)).status).toBe(404);
    }
  });
});
