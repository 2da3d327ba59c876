/** Migrations of the logs' schema, of which none ever changes; `user_version` is the number of those that have run. */
export const logMigrations = [
  `
  create table log_runs (
    deployment integer not null,
    first integer not null,
    count integer not null,
    service text not null,
    stream text not null,
    instance integer,
    at integer not null,
    bytes integer not null,
    plain integer not null,
    text text not null,
    primary key (deployment, first)
  ) strict;

  create table log_ends (
    deployment integer primary key,
    last integer not null,
    bytes integer not null
  ) strict;
  `,
  // The first id of an epoch, and the last one before it; between them is the only hole.
  `
  create table log_epochs (
    deployment integer not null,
    first integer not null,
    last integer not null,
    primary key (deployment, first)
  ) strict;
  `,
  `alter table log_runs add column partial integer not null default 0`,
  `
  create table log_cursors (
    source text primary key,
    deployment integer not null,
    at text not null
  ) strict, without rowid;
  create index log_cursors_by_deployment on log_cursors (deployment);
  `,
  // The service and instance of the source; unknown for cursors from before.
  `
  alter table log_cursors add column service text;
  alter table log_cursors add column instance integer;
  `,
];
