import type { DatabaseSync } from 'node:sqlite';

/** Rewrites records to the version that charged no runs and kept definitions in `deployments`. */
export function storeDefinitionsInRows(records: DatabaseSync): void {
  records.exec(`
    drop index open_deployments;
    drop index closed_deployments;
    drop index kept_deployments;
    drop index begun_removals;
    alter table deployments drop column removal_began_at;
    alter table deployments drop column applied_generation;
    alter table deployments drop column rollback;
    alter table grants drop column expired_at;
    create index deployments_by_owner on deployments (owner);
    alter table deployments add column sdl text not null default '';
    alter table deployments add column services text not null default '[]';
    update deployments set (sdl, services) =
      (select sdl, services from definitions where deployment = number);
    alter table deployments drop column counts;
    drop table definitions;
    drop table exceeded_volumes;
    drop table archived_deployments;
    drop table archived_definitions;
    drop table archived_owners;
    delete from meta where key = 'last-service-user';
    drop table charged_runs;
    drop table volume_nodes;
    alter table deployments drop column run_usage;
    pragma user_version = 4;
  `);
}
