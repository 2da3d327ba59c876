/**
 * The 15 operations with a client that openapi-fetch makes of the types in service.ts, which
 * openapi-typescript writes. Every value that an operation returns is used with its type.
 */
import createClient from 'openapi-fetch';
import type { components, paths } from './service.ts';

/** Does all operations; yields the name and the status of each, and what its answer holds. */
export async function* operations(
  baseUrl: string,
  token: string,
  sdl: string,
): AsyncGenerator<readonly [name: string, status: number, value: unknown]> {
  const headers = { authorization: `Bearer ${token}` };
  const client = createClient<paths, 'application/json'>({ baseUrl, headers });

  const created = await client.POST('/api/v1/deployments', { body: { sdl } });
  const id: string = created.data?.deployment.id ?? '';
  yield ['createDeployment', created.response.status, id];

  const listed = await client.GET('/api/v1/deployments', {
    params: { query: { limit: 10, state: 'active' } },
  });
  const total: number | undefined = listed.data?.total;
  yield ['listDeployments', listed.response.status, total];

  const got = await client.GET('/api/v1/deployments/{id}', { params: { path: { id } } });
  const deployment: components['schemas']['Deployment'] | undefined = got.data?.deployment;
  const name: string = deployment?.services[0]?.name ?? '';
  yield ['getDeployment', got.response.status, name];

  const service = { id, name };
  const uploaded = await client.POST('/api/v1/deployments/{id}/services/{name}/files', {
    params: { path: service },
    body: { files: ['text', 'more'] },
    bodySerializer({ files }) {
      const form = new FormData();
      for (const [index, text] of files.entries()) {
        form.append('files', new Blob([text]), `etc/${index}.txt`);
      }
      return form;
    },
  });
  const size: number | undefined = uploaded.data?.files[1]?.size;
  yield ['uploadFiles', uploaded.response.status, size];

  const files = await client.GET('/api/v1/deployments/{id}/services/{name}/files', {
    params: { path: service },
  });
  const paths: readonly string[] | undefined = files.data?.files.map((file) => file.path);
  yield ['listFiles', files.response.status, paths];

  const file = { ...service, path: 'etc/0.txt' };
  const updated = await client.PUT('/api/v1/deployments/{id}/services/{name}/files/{path}', {
    params: { path: file },
    body: { content: 'höher' },
  });
  const modifiedAt: string | undefined = updated.data?.file.modifiedAt;
  yield ['updateFile', updated.response.status, modifiedAt];

  const read = await client.GET('/api/v1/deployments/{id}/services/{name}/files/{path}', {
    params: { path: file },
  });
  const content: string | undefined = read.data?.file.content;
  yield ['getFile', read.response.status, content];

  const renamed = await client.PATCH('/api/v1/deployments/{id}/services/{name}/files/rename', {
    params: { path: service },
    body: { oldPath: 'etc/0.txt', newPath: 'a.txt' },
  });
  const newPath: string | undefined = renamed.data?.file.path;
  yield ['renameFile', renamed.response.status, newPath];

  const deleted = await client.DELETE('/api/v1/deployments/{id}/services/{name}/files/{path}', {
    params: { path: { ...service, path: 'a.txt' } },
  });
  const isDeleted: true | undefined = deleted.data?.success;
  yield ['deleteFile', deleted.response.status, isDeleted];

  const logs = await client.GET('/api/v1/deployments/{id}/logs', {
    params: { path: { id }, query: { limit: 5, service: name, search: '' } },
  });
  const lines: readonly string[] | undefined = logs.data?.logs.map(({ logLine }) => logLine);
  yield ['fetchLogs', logs.response.status, lines];

  const restarted = await client.POST('/api/v1/deployments/{id}/restart', {
    params: { path: { id } },
  });
  yield ['restartDeployment', restarted.response.status, restarted.data?.deployment.state];

  const granted = await client.POST('/api/v1/grants', {
    body: {
      grantee: '0x2222222222222222222222222222222222222222',
      limit: 1.5,
      expires_at: '2100-01-01T00:00:00.000Z',
    },
  });
  const limit: number | undefined = granted.data?.grant.limit;
  yield ['createGrant', granted.response.status, limit];

  const grants = await client.GET('/api/v1/grants');
  const spent: number | undefined = grants.data?.grants[0]?.spent;
  yield ['listGrants', grants.response.status, spent];

  const revoked = await client.DELETE('/api/v1/grants/{id}', {
    params: { path: { id: granted.data?.grant.id ?? '' } },
  });
  yield ['revokeGrant', revoked.response.status, revoked.data?.grant.id];

  const closed = await client.POST('/api/v1/deployments/{id}/close', { params: { path: { id } } });
  const error: string | undefined = closed.error?.error.message;
  yield ['closeDeployment', closed.response.status, error ?? closed.data?.deployment.id];
}
