import { afterAll, beforeAll, expect } from 'vitest';
import type { ServiceEndpoint } from '../../source/contract/deployments.ts';
import type { HostOptions } from '../../source/host/server/serve.ts';
import type { DeploymentStatus } from '../../source/host/supervisor/deployment-status.ts';
import { readDeployment } from '../host/support/bodies.ts';
import {
  type Caller,
  formOf,
  type TemporaryHost,
  temporaryHost,
} from '../host/support/temporary-host.ts';
import { answers, onBed, waitForBed } from './bed.ts';

/** A host on the bed, from before the tests of a group until after them. */
export interface BedHost {
  readonly service: TemporaryHost;
  readonly owner: Caller;
  /** Resolves with the status of a deployment and of its service `web`. */
  readWeb(id: string): Promise<WebStatus>;
  /** Resolves with the endpoints of an active deployment once they give exactly these answers. */
  awaitAnswers(id: string, wanted: readonly string[]): Promise<readonly ServiceEndpoint[]>;
  /** Writes files of `web`, by their names, and restarts the deployment. */
  putAndRestart(
    id: string,
    files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  ): Promise<void>;
}

interface WebStatus extends Pick<DeploymentStatus, 'rolledBack' | 'state'> {
  readonly web: DeploymentStatus['services'][number];
  readonly endpoints: readonly ServiceEndpoint[];
}

/** Starts a host before the tests of a group, and removes it after them. */
export function hostOnBed(options: Partial<HostOptions> = {}): BedHost {
  let service: TemporaryHost;
  let owner: Caller;
  beforeAll(async () => {
    service = await temporaryHost({ ...onBed, ...options });
    owner = service.as('0xowner');
  });
  afterAll(async () => {
    await service.remove();
  });

  const readWeb = async (id: string): Promise<WebStatus> => {
    const { rolledBack, services, state } = await readDeployment(owner, id);
    const [web] = services;
    if (web === undefined) throw new Error(`deployment ${id} has no service`);
    return { rolledBack, state, web, endpoints: web.endpoints ?? [] };
  };
  return {
    get service() {
      return service;
    },
    get owner() {
      return owner;
    },
    readWeb,
    awaitAnswers: async (id, wanted) =>
      await waitForBed(async () => {
        const { state, endpoints } = await readWeb(id);
        expect(state).toBe('active');
        expect(await answers(endpoints)).toEqual(wanted);
        return endpoints;
      }),
    async putAndRestart(id, files) {
      await owner.call('uploadFiles', { id, name: 'web', form: formOf(files) });
      await owner.call('restartDeployment', { id });
    },
  };
}

/** Returns a program that answers every request with a text, and ends when it is told to. */
export function programAnswering(text: string): string {
  return `
    process.on('SIGTERM', () => process.exit());
    require('node:http').createServer((_, answer) => answer.end('${text}')).listen(process.env.PORT);
  `;
}
