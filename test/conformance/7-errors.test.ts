import { beforeAll, describe, expect } from 'vitest';
import { operations } from '../../source/contract/routes.ts';
import { everyOperation, ofDeployments, requestFor } from './every-operation.ts';
import { own } from './line.ts';
import { done } from './reading.ts';
import { deploy, idle, type MadeDeployment, serviceUnderTest } from './service.ts';

/** The contract specifies no error codes or bodies; these are those of hostdeck's host. */

const service = await serviceUnderTest();
const { owner } = service;

let made: MadeDeployment;

beforeAll(async () => {
  made = await deploy(service, { web: idle });
});

const envelope = (code: string) => ({
  success: false,
  error: { code, message: expect.stringMatching(/\.$/), details: expect.any(Array) },
});

describe('7. Errors', () => {
  own('{success: false, error: {code, message, details}}, in application/json', async () => {
    const answer = await owner.call('getDeployment', { id: 'none' });
    expect(answer.status).toBe(404);
    expect(answer.json).toEqual(envelope('not-found'));
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  own('404 for an unknown deployment, service, file and grant', async () => {
    const none = { ...made, id: `${made.id}0` };
    for (const operation of ofDeployments) {
      const answer = await owner.call(operation, requestFor(operation, none, service.grantee));
      expect(answer.status, operations[operation].title).toBe(404);
      expect(answer.json).toEqual(envelope('not-found'));
    }
    const inNoService = { ...made, names: ['no-such-service'] };
    for (const operation of ofDeployments.filter((each) => /File/.test(each))) {
      const request = requestFor(operation, inNoService, service.grantee);
      expect((await owner.call(operation, request)).status).toBe(404);
    }
    expect((await owner.call('revokeGrant', { id: 'none' })).status).toBe(404);
  });

  own('404 for an unknown path, 405 for another method', async () => {
    for (const url of ['/', '/api/v1/nothing', '/api/v1/deployments/a/b/c']) {
      expect((await owner.send('GET', url)).json).toEqual(envelope('not-found'));
    }
    expect((await owner.send('DELETE', '/api/v1/deployments')).status).toBe(405);
    expect((await owner.send('PUT', '/api/v1/grants')).status).toBe(405);
  });

  own('400 for a body that is not JSON, without effect', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = '{"sdl": ';
    const answer = await owner.send('POST', '/api/v1/deployments', { headers, body });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual(envelope('bad-request'));
    const grant = await owner.send('POST', '/api/v1/grants', { headers, body });
    expect(grant.status).toBe(400);
  });

  own('a JSON body is read with any content type', async () => {
    const { id, names } = made;
    const url = `/api/v1/deployments/${id}/services/${names[0]}/files/typed.txt`;
    const headers = { 'content-type': 'text/plain' };
    const body = '{"content":"read"}';
    expect((await owner.send('PUT', url, { headers, body })).status).toBe(200);
  });

  own('409 for a conflict with the current state', async () => {
    const { id } = await deploy(service, { web: idle });
    done(await owner.call('closeDeployment', { id }));
    const answer = await owner.call('restartDeployment', { id });
    expect(answer.status).toBe(409);
    expect(answer.json).toEqual(envelope('conflict'));
  });

  own('413 for a body that is too large, without effect', async () => {
    const json = { sdl: 'x'.repeat(1_100_000) };
    const answer = await owner.call('createDeployment', { json });
    expect(answer.status).toBe(413);
    expect(answer.json).toEqual(envelope('too-large'));
  });

  own('422 for an invalid field, which is named', async () => {
    const answer = await owner.call('createDeployment', { json: { sdl: 5 } });
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({
      ...envelope('invalid'),
      error: { details: [{ field: 'sdl', expected: 'text' }] },
    });
  });

  own('every answer has a Date header, also errors', async () => {
    for (const operation of everyOperation) {
      const none = requestFor(operation, { id: 'none', names: ['web'] }, '');
      const { headers } = await owner.with('no-such-token').call(operation, none);
      expect(Math.abs(Date.parse(String(headers['date'])) - Date.now())).toBeLessThan(10_000);
    }
  });
});
