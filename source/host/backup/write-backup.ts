import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { constants, createZstdCompress } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { PassThrough, Readable } from 'node:stream';
import type { BackupFindings, StreamedBackup } from '../control/backup-frames.ts';
import type { FileSnapshots } from '../files/file-snapshots.ts';
import { Folder } from '../files/folder.ts';
import { packArchive } from '../files/tree-archive.ts';
import { packFile, packFolder, type Packer } from '../files/tree-packing.ts';
import { removeTreeBelow } from '../files/tree-removal.ts';
import { temporaryFolder } from '../volumes/volume-folders.ts';
import { databaseNames, manifestName, workFolderName, writeManifest } from './backup-format.ts';
import {
  type BackedUpDeployment,
  prepareLogs,
  type BackedUpVolumes,
  prepareRecords,
} from './copied-records.ts';
import { EngineVolumes, type EngineVolumeSource } from './engine-volumes.ts';

/** Bytes of a chunk of the compressed archive, at most. */
const chunkBytes = 256 * 1024;

export interface BackupParts {
  /** Existing data folder, without links. */
  readonly dataDir: string;
  /** Version of the program. */
  readonly version: string;
  readonly snapshots: FileSnapshots;
  /** Copies the records to a new file. */
  readonly copyRecords: (file: string) => Promise<void>;
  /** Copies the logs to a new file, with all lines that anybody has seen. */
  readonly copyLogs: (file: string) => Promise<void>;
  /** Set for a backup with volumes. Services write to them, so they are as after a crash. */
  readonly volumes?: BackupVolumes | undefined;
}

export interface BackupVolumes {
  /** Returns the folder of the volumes that processes of a deployment have. */
  readonly folderOf: (deployment: string) => string | undefined;
  /** The volumes of containers. */
  readonly engine: EngineVolumeSource;
}

/**
 * Writes a backup of a data folder while its host runs. Everything that was answered before the
 * call is in it. The bytes throw when another backup of the folder runs.
 *
 * The order of the parts matters. From the hold on, nothing disappears that the records name. The
 * records come first: whatever is read later is at least as new. The logs follow, then the staged
 * files of each deployment at one moment, and its running generation, which its service may change.
 */
export function writeBackup(parts: BackupParts): StreamedBackup {
  let findings: BackupFindings = { skipped: 0, withoutVolumes: 0, withoutEngineVolumes: 0 };
  const missing = new Set<string>();
  const work: ArchiveWork = {
    onSkipped: (count = 1) => {
      findings = { ...findings, skipped: findings.skipped + count };
    },
    onVolumes: (count) => {
      if (parts.volumes === undefined) findings = { ...findings, withoutVolumes: count };
    },
    onMissing: (deployment, engineFailure) => {
      missing.add(deployment);
      findings = { ...findings, withoutEngineVolumes: missing.size, engineFailure };
    },
  };
  return { bytes: compress(archive(parts, work)), findings: () => findings };
}

/** Removes what a backup has left in a data folder when its host was killed. */
export async function removeUnfinishedBackup(dataDir: string): Promise<void> {
  await removeTreeBelow(dataDir, [], workFolderName);
}

interface ArchiveWork {
  /** Called for entries of a service that can't be read; one by default. */
  readonly onSkipped: (count?: number) => void;
  /** Called with the number of open deployments that have volumes. */
  readonly onVolumes: (count: number) => void;
  /** Called with a deployment whose volumes on the engine can't be read, and the reason. */
  readonly onMissing: (deployment: string, reason: string) => void;
}

async function* archive(
  parts: BackupParts,
  { onSkipped, onVolumes, onMissing }: ArchiveWork,
): AsyncGenerator<Uint8Array> {
  const { dataDir, version, snapshots, copyRecords, copyLogs, volumes: asked } = parts;
  const createdAt = new Date().toISOString();
  const work = path.join(dataDir, workFolderName);
  using _hold = snapshots.hold();
  await removeUnfinishedBackup(dataDir);
  await mkdir(work, { mode: 0o700 });
  try {
    const [records, logs] = databaseNames.map((name) => path.join(work, name)) as [string, string];
    await copyRecords(records);
    const { deployments, volumes } = prepareRecords(records);
    onVolumes(volumes.size);
    await copyLogs(logs);
    prepareLogs(logs);
    const users = asked === undefined ? new Map() : usersOfEngine(volumes);
    const lent = path.join(work, 'lent');
    await mkdir(lent);
    const engineVolumes =
      asked === undefined
        ? undefined
        : await EngineVolumes.find({
            work: lent,
            source: asked.engine,
            snapshots,
            users,
            onSkipped,
            onMissing,
          });
    yield* packArchive(async (packer) => {
      const manifest = writeManifest({ createdAt, version }, users.size > 0);
      await packBytes(packer, manifestName, manifest);
      await using copies = await openFolder(work);
      for (const name of databaseNames) {
        await packFile(packer, copies, name, { path: name });
        await rm(path.join(work, name));
      }
      for (const deployment of deployments) {
        await packDeployment(packer, deployment, { snapshots, work, onSkipped });
        const { id } = deployment;
        await engineVolumes?.pack(packer, id);
        const folder = asked?.folderOf(id);
        await using opened = folder === undefined ? undefined : await Folder.open(folder);
        if (!(opened instanceof Folder)) continue;
        await packFolder(packer, opened, `deployments/${id}/volumes`, {
          kind: 'volume',
          onSkipped,
        });
      }
    });
  } finally {
    await removeUnfinishedBackup(dataDir);
  }
}

/** Returns the images by service of the deployments that have volumes on the engine. */
function usersOfEngine(
  volumes: ReadonlyMap<string, BackedUpVolumes>,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const images = [...volumes].map(([id, each]) => [id, each.images] as const);
  return new Map(images.filter(([, each]) => each.size > 0));
}

async function packDeployment(
  packer: Packer,
  { id, generation }: BackedUpDeployment,
  { snapshots, work, onSkipped }: { snapshots: FileSnapshots; work: string; onSkipped: () => void },
): Promise<void> {
  const linked = path.join(work, id);
  await mkdir(linked);
  if (await snapshots.linkPart(id, 'staged', linked)) {
    await using staged = await openFolder(linked);
    await packFolder(packer, staged, `deployments/${id}/staged`, { kind: 'live', onSkipped });
  }
  await removeTreeBelow(work, [], id);
  const folder = generation === undefined ? undefined : snapshots.generationFolder(id, generation);
  if (folder === undefined) return;
  await using running = await openFolder(folder);
  const name = `deployments/${id}/runs/${generation}`;
  // Temporary volumes are empty at each start.
  const hidden = new Set([`${name}/${temporaryFolder}`]);
  await packFolder(packer, running, name, { kind: 'live', onSkipped, hidden });
}

async function openFolder(folder: string): Promise<Folder> {
  const opened = await Folder.open(folder);
  if (opened instanceof Folder) return opened;
  throw new Error(`${folder} is not a folder`);
}

async function packBytes(packer: Packer, name: string, bytes: Buffer): Promise<void> {
  const writer = packer.add({ name, size: bytes.length, mode: 0o600 }).getWriter();
  await writer.write(bytes);
  await writer.close();
}

/**
 * Yields all chunks compressed with zstd (RFC 8878), which takes a tenth of the processor time of
 * gzip. Its checksum tells a complete archive from a changed one.
 */
async function* compress(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const compressed = createZstdCompress({
    chunkSize: chunkBytes,
    params: {
      [constants.ZSTD_c_compressionLevel]: 1,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
  const output = new PassThrough();
  const piped = pipeline(Readable.from(chunks), compressed, output);
  // The reader of `output` gets the same error.
  piped.catch(() => undefined);
  try {
    yield* output as AsyncIterable<Buffer>;
  } finally {
    output.destroy();
    // The parts are cleaned up when this has settled.
    await piped.catch(() => undefined);
  }
}
