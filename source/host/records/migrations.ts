/** Schema migrations in order; `user_version` is the number of migrations already applied. */
export const migrations: readonly string[] = [
  `
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
  `,
  `
  alter table deployments add column warnings text not null default '[]';
  `,
  // Log lines move to their own database, which imports these tables when it is opened.
  `
  drop index log_lines_by_service;
  alter table log_lines rename to old_log_lines;
  create table old_log_ends as
    select number as deployment, last_log as last from deployments where last_log > 0;
  alter table deployments drop column last_log;
  `,
  `
  create table service_users (deployment text primary key, number integer not null unique) strict;
  `,
  // Usage from before this version is in the accounts of the deployments only.
  `
  create table charged_runs (
    number integer primary key,
    run text not null unique,
    deployment text not null,
    service text not null,
    instance integer not null,
    price text not null,
    began_at integer not null,
    ran_ms integer not null,
    seen_at integer not null,
    seen_monotonic integer not null,
    boot text not null,
    is_over integer not null
  ) strict;
  create index charged_runs_unended on charged_runs (number) where is_over = 0;

  alter table deployments add column run_usage text not null default '0';
  `,
  // Definitions may be large, and SQLite reads a row's columns in order: lists would read them all.
  `
  create table definitions (
    deployment integer primary key,
    sdl text not null,
    services text not null
  ) strict;
  insert into definitions select number, sdl, services from deployments;

  alter table deployments add column counts text not null default '[]';
  update deployments set counts = (
    select json_group_array(
      json_object('name', value ->> 'name', 'count', ifnull(value ->> 'count', 1)) order by key
    ) from json_each(services)
  );
  alter table deployments drop column sdl;
  alter table deployments drop column services;

  drop index deployments_by_owner;
  create index open_deployments on deployments (number) where phase <> 'closed';
  create index closed_deployments on deployments (owner, closed_at, number)
    where phase = 'closed';
  `,
  `
  -- A table of its own: rows that shrink in place would leave their pages half empty.
  create table archived_definitions (
    deployment integer primary key,
    deflated_sdl blob not null
  ) strict;

  alter table deployments add column removal_began_at integer;
  alter table deployments add column is_removed integer not null default 0;
  create index kept_deployments on deployments (closed_at)
    where phase = 'closed' and is_removed = 0 and removal_began_at is null;
  create index begun_removals on deployments (closed_at)
    where phase = 'closed' and is_removed = 0 and removal_began_at is not null;
  `,
  // Removed deployments, of which there may be any number, get compact records. Their definitions and
  // owners are shared; definitions from before have no digest. The accounts stay as they are.
  `
  alter table archived_definitions rename to former_definitions;
  create table archived_definitions (
    number integer primary key,
    digest blob,
    deflated_sdl blob not null,
    counts text not null,
    warnings text not null,
    price text not null
  ) strict;
  create index archived_definitions_by_digest on archived_definitions (digest)
    where digest is not null;

  create table archived_owners (number integer primary key, address text not null unique) strict;

  create table archived_deployments (
    number integer primary key,
    uuid blob not null,
    name text not null,
    owner integer not null,
    definition integer not null,
    generation integer not null,
    created_at integer not null,
    restarted_at integer,
    closed_at integer not null,
    removed_at integer not null,
    carry text not null,
    owed text not null,
    paid text not null,
    run_usage text not null
  ) strict;
  create index archived_deployments_by_owner on archived_deployments (owner, closed_at);

  insert into archived_definitions (deflated_sdl, counts, warnings, price)
    select distinct deflated_sdl, counts, warnings, price
    from deployments join former_definitions on deployment = deployments.number
    where is_removed = 1;
  insert into archived_owners (address)
    select distinct owner from deployments where is_removed = 1;
  insert into archived_deployments
    select deployments.number, unhex(substr(id, 1, 36), '-'), name, archived_owners.number,
      archived_definitions.number, generation, created_at, restarted_at, closed_at,
      removal_began_at, carry, owed, paid, run_usage
    from deployments
      join former_definitions on deployment = deployments.number
      join archived_definitions using (deflated_sdl, counts, warnings, price)
      join archived_owners on address = owner
    where is_removed = 1;
  drop table former_definitions;

  insert into meta
    select 'last-service-user', max(number) from service_users having count(*) > 0;
  delete from service_users
    where deployment in (select id from deployments where is_removed = 1);

  delete from deployments where is_removed = 1;
  drop index kept_deployments;
  drop index begun_removals;
  alter table deployments drop column is_removed;
  create index kept_deployments on deployments (closed_at)
    where phase = 'closed' and removal_began_at is null;
  create index begun_removals on deployments (closed_at)
    where phase = 'closed' and removal_began_at is not null;
  `,
  `
  create table exceeded_volumes (
    deployment text not null,
    volume text not null,
    primary key (deployment, volume)
  ) strict, without rowid;
  `,
  `
  alter table deployments add column applied_generation integer;
  alter table deployments add column rollback text;
  `,
  `
  create table volume_nodes (
    deployment text not null,
    part text not null,
    node text not null,
    primary key (deployment, part)
  ) strict, without rowid;
  `,
  `
  alter table grants add column expired_at integer;
  `,
];
