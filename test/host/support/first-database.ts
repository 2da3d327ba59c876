import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Table of log lines in the versions that stored them in the records. */
export const logLinesTable = `
  create table log_lines (
    deployment integer not null,
    id integer not null,
    service text not null,
    stream text not null,
    at integer not null,
    line text not null,
    primary key (deployment, id)
  ) strict, without rowid;
  create index log_lines_by_service on log_lines (deployment, service, id);
`;

/** Tables of the first version, from which data folders still exist. */
const firstTables = `
  create table meta (key text primary key, value text not null) strict;

  create table wallets (address text primary key, balance text not null) strict;

  create table tokens (
    hash text primary key,
    wallet text not null,
    created_at integer not null
  ) strict;

  create table grants (
    number integer primary key,
    id text not null unique,
    grantor text not null,
    grantee text not null,
    spend_limit text not null,
    spent text not null,
    expires_at integer not null,
    created_at integer not null,
    revoked_at integer
  ) strict;
  create index grants_by_grantee on grants (grantee, expires_at);
  create index grants_by_grantor on grants (grantor);

  create table deployments (
    number integer primary key autoincrement,
    id text not null unique,
    name text not null,
    owner text not null,
    sdl text not null,
    services text not null,
    phase text not null,
    generation integer not null,
    price text not null,
    carry text not null,
    owed text not null,
    paid text not null,
    last_log integer not null,
    created_at integer not null,
    restarted_at integer,
    closed_at integer
  ) strict;
  create index deployments_by_owner on deployments (owner);

  create table runs (run text primary key) strict;
  ${logLinesTable}
`;

/** A deployment as the first version stored it, without later fields of services. */
const services = [
  {
    name: 'web',
    command: ['sleep', '120'],
    args: [],
    env: {},
    expose: [],
    count: 1,
    position: { line: 3, column: 3 },
  },
];

export const firstId = '00000000-0000-4000-8000-000000000000-1';

/** Creates a data folder's database of the first version, with a deployment and its log. */
export function makeFirstDatabase(dataDir: string, owner: string): void {
  mkdirSync(dataDir, { recursive: true });
  const database = new DatabaseSync(path.join(dataDir, 'host.db'));
  database.exec(firstTables);
  database.exec('pragma user_version = 1');
  database
    .prepare(
      `insert into deployments (id, name, owner, sdl, services, phase, generation, price, carry,
         owed, paid, last_log, created_at)
       values (?, 'old', ?, 'services: {}', ?, 'running', 1, '0', '0', '0', '0', 1, 0)`,
    )
    .run(firstId, owner, JSON.stringify(services));
  database
    .prepare(
      `insert into log_lines (deployment, id, service, stream, at, line)
       values (1, 1, 'web', 'stdout', 0, 'from then')`,
    )
    .run();
  database.close();
}
