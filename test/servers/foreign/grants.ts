import { randomUUID } from 'node:crypto';
import { cased, errorAnswer, jsonOf, listAnswer, oneAnswer, type Routes } from './answers.ts';
import type { ForeignOptions } from './options.ts';

export interface ForeignGrant {
  readonly id: string;
  readonly grantor: string;
  readonly grantee: string;
  readonly limit: number;
  spent: number;
  readonly expiresAt: string;
  readonly createdAt: string;
}

/** Returns the routes and the grants by id. A revoked grant is removed. */
export function foreignGrants(options: ForeignOptions): {
  readonly routes: Routes;
  readonly all: Map<string, ForeignGrant>;
} {
  const all = new Map<string, ForeignGrant>();
  const toRecord = (grant: ForeignGrant): object => cased(options, { ...grant });

  const routes: Routes = async (request) => {
    const { method, path, wallet } = request;
    if (path === '/api/v1/grants' && method === 'GET') {
      const given = [...all.values()].filter(({ grantor }) => grantor === wallet);
      const received = [...all.values()].filter(({ grantee }) => grantee === wallet);
      switch (options.grants) {
        case 'flat':
          return listAnswer(options, 'grants', [...new Set([...given, ...received])].map(toRecord));
        case 'two-lists':
          return {
            status: 200,
            body: { granted: given.map(toRecord), received: received.map(toRecord) },
          };
        case 'as-lists':
          return {
            status: 200,
            body: { data: { asGrantor: given.map(toRecord), asGrantee: received.map(toRecord) } },
          };
      }
    }
    if (path === '/api/v1/grants' && method === 'POST') {
      const { grantee, limit, expires_at: expiresAt } = jsonOf(request) ?? {};
      if (typeof grantee !== 'string' || typeof limit !== 'number' || limit <= 0) {
        return errorAnswer(options, 422, 'grantee and a positive limit are needed');
      }
      if (typeof expiresAt !== 'string' || !(Date.parse(expiresAt) > options.now())) {
        return errorAnswer(options, 422, 'expires_at must lie in the future');
      }
      const createdAt = new Date(options.now()).toISOString();
      const grant = {
        id: randomUUID(),
        grantor: wallet,
        grantee,
        limit,
        spent: 0,
        expiresAt,
        createdAt,
      };
      all.set(grant.id, grant);
      return oneAnswer(options, 201, 'grant', toRecord(grant));
    }
    const id = /^\/api\/v1\/grants\/([^/]+)$/.exec(path)?.[1];
    if (id === undefined || method !== 'DELETE') return undefined;
    const grant = all.get(decodeURIComponent(id));
    if (grant === undefined) return errorAnswer(options, 404, 'no such grant');
    if (grant.grantor !== wallet) return errorAnswer(options, 403, 'only the grantor may revoke');
    all.delete(grant.id);
    return { status: 204 };
  };

  return { routes, all };
}
