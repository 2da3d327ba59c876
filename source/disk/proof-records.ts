/** The restarts that were proved from this machine, on disk. */
import path from 'node:path';
import { removeForGood, writeAtomically } from './atomic-file.ts';
import { hashedName, jsonOf, namesIn, recordFields } from './state-folder.ts';
import { type ConsoleMark, isGone, ownMark } from './console-mark.ts';
import type { DeploymentBefore, ProofRecord, ProofRecords } from '../store/proof/proof-record.ts';
import type { Verdict } from '../store/proof/judge.ts';
import type { ChangedFile } from '../store/restarts/journal.ts';

/** Records of one deployment, and of a service, that are kept. */
const mostOfDeployment = 10;
const mostRecords = 500;

/** Deployment and time of the restart. */
const namePattern = /^([0-9a-f]{32})\.(\d{15})\.json$/;

/**
 * Stores the records below `proofs` of the state folder, one file a restart, so that two consoles never
 * write the same file. A file that can't be written is a verdict that nobody remembers: no error.
 */
export function createProofRecords(
  stateFolder: string,
  service: string,
  mark: Promise<ConsoleMark> = ownMark(),
): ProofRecords {
  const folder = path.join(stateFolder, 'proofs', hashedName(service));

  /** Resolves with the names of records, newest first; of one deployment, if its hash is given. */
  async function recordNames(ofDeployment?: string): Promise<readonly string[]> {
    const names = (await namesIn(folder)).flatMap((name) => {
      const [, hash, at = ''] = namePattern.exec(name) ?? [];
      const isWanted = hash !== undefined && (ofDeployment === undefined || hash === ofDeployment);
      return isWanted ? [{ name, at }] : [];
    });
    return names.toSorted((a, b) => (a.at < b.at ? 1 : -1)).map(({ name }) => name);
  }

  async function removeOld(ofDeployment: string): Promise<void> {
    const old = [
      ...(await recordNames(ofDeployment)).slice(mostOfDeployment),
      ...(await recordNames()).slice(mostRecords),
    ];
    for (const name of old) await removeForGood(path.join(folder, name));
  }

  return {
    async abandoned() {
      const found: ProofRecord[] = [];
      for (const name of await recordNames()) {
        const json = await jsonOf(path.join(folder, name));
        const record = parseRecord(json);
        const { by } = recordFields(json);
        if (record === undefined || record.isJudged || typeof by !== 'string') continue;
        if (await isGone(by)) found.push(record);
      }
      return found;
    },
    async read(deploymentId) {
      const names = await recordNames(
        deploymentId === undefined ? undefined : hashedName(deploymentId),
      );
      const read = await Promise.all(
        names.map(async (name) => parseRecord(await jsonOf(path.join(folder, name)))),
      );
      return read.filter((record) => record !== undefined);
    },
    async write(record) {
      const hash = hashedName(record.deploymentId);
      const time = String(Math.max(0, Math.round(record.at))).padStart(15, '0');
      try {
        await writeAtomically(
          path.join(folder, `${hash}.${time}.json`),
          JSON.stringify({ ...record, by: await mark }),
        );
        await removeOld(hash);
      } catch {
        // Nobody can restore its files together.
      }
    },
  };
}

/** Verdicts by the words of records, of which earlier versions wrote the last one. */
const verdicts: ReadonlyMap<unknown, Verdict> = new Map([
  ['worse', 'worse'],
  ['unchanged', 'unchanged'],
  ['unclear', 'unclear'],
  ['no worse', 'unchanged'],
]);

/** Returns the record of a file; undefined where it is malformed. */
function parseRecord(json: unknown): ProofRecord | undefined {
  const { deploymentId, name, at, changedFrom, requestedAt, isUndone, ...rest } =
    recordFields(json);
  const verdict = verdicts.get(rest['verdict']);
  const files = listOf(rest['files'], fileOf);
  if (typeof deploymentId !== 'string' || typeof name !== 'string') return undefined;
  if (verdict === undefined || files === undefined) return undefined;
  if (!isTime(at) || !isTime(changedFrom) || !isTime(requestedAt)) return undefined;
  const times = { at, changedFrom, requestedAt };
  const isJudged = rest['isJudged'] !== false;
  const before = isJudged ? undefined : beforeOf(rest['before']);
  const common = { deploymentId, name, ...times, files, verdict, isJudged };
  const record = { ...common, isUndone: isUndone === true };
  return before === undefined ? record : { ...record, before };
}

function beforeOf(json: unknown): DeploymentBefore | undefined {
  const { createdAt, restartedAt, services } = recordFields(json);
  const parsed = listOf(services, serviceOf);
  if (parsed === undefined) return undefined;
  return { ...textField({ createdAt }), ...textField({ restartedAt }), services: parsed };
}

function serviceOf(json: unknown): DeploymentBefore['services'][number] | undefined {
  const { name, startedAt, restarts, exitCode } = recordFields(json);
  if (typeof name !== 'string') return undefined;
  return {
    name,
    ...textField({ startedAt }),
    ...(typeof restarts === 'number' && { restarts }),
    ...((typeof exitCode === 'number' || exitCode === null) && { exitCode }),
  };
}

/** Returns the field where it is a text, else no field. */
function textField<Name extends string>(
  field: Readonly<Record<Name, unknown>>,
): Partial<Record<Name, string>> {
  return Object.values(field).every((value) => typeof value === 'string')
    ? (field as Record<Name, string>)
    : {};
}

function listOf<T>(
  json: unknown,
  parse: (item: unknown) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const items = json.map(parse);
  return items.every((item) => item !== undefined) ? items : undefined;
}

function fileOf(json: unknown): ChangedFile | undefined {
  const { service, path: name } = recordFields(json);
  return typeof service === 'string' && typeof name === 'string'
    ? { service, path: name }
    : undefined;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
