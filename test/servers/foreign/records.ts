import type { ForeignDeployment } from './deployments.ts';
import type { ForeignGrant } from './grants.ts';
import type { ForeignLogs } from './logs.ts';

/** Contents of a service, as its answers hold them. */
export interface ServiceRecords {
  readonly deployments: readonly (object & { readonly id: string })[];
  /** Texts of files by deployment, service and path. */
  readonly files: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
  >;
  /** `TIMESTAMP SERVICE STREAM TEXT` for each line of a deployment, oldest first. */
  readonly logs: Readonly<Record<string, readonly string[]>>;
  readonly grants: readonly ForeignGrant[];
}

/** Puts the records into the service. Returns the id of the first deployment. */
export function loadRecords(
  records: ServiceRecords,
  service: {
    readonly deployments: Map<string, ForeignDeployment>;
    readonly logs: ForeignLogs;
    readonly grants: Map<string, ForeignGrant>;
  },
): string {
  for (const record of records.deployments) {
    service.deployments.set(record.id, deploymentOf(record, records.files[record.id] ?? {}));
  }
  for (const [id, lines] of Object.entries(records.logs)) {
    for (const line of lines) {
      const [, timestamp, name = '', stream, text = ''] =
        /^(\S+) (\S+) (\S+) (.*)$/.exec(line) ?? [];
      service.logs.append(id, name, text, stream, timestamp);
    }
  }
  for (const grant of records.grants) service.grants.set(grant.id, grant);
  return records.deployments[0]?.id ?? '';
}

function deploymentOf(
  record: object & { readonly id: string },
  files: Readonly<Record<string, Readonly<Record<string, string>>>>,
): ForeignDeployment {
  return {
    id: record.id,
    title: '',
    status: 'running',
    services: Object.keys(files),
    createdAt: '',
    restartedAt: undefined,
    owner: '',
    sdl: '',
    files: new Map(
      Object.entries(files).map(([service, texts]) => [
        service,
        new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)])),
      ]),
    ),
    restarts: 0,
    record,
  };
}
