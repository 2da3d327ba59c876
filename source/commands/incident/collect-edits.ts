/** Collects the files of a deployment, and the edits of them that were made from this machine, from its trash. */
import type { FilesClient } from '../../client/files.ts';
import type { FileRecord } from '../../contract/files.ts';
import type { Trash, TrashEntry } from '../../store/drafts/trash.ts';
import type { EditTexts, IncidentEvent } from '../../store/incident/incident.ts';

/** The span and the services of an incident. Times are ms since the epoch, by the clock of this machine. */
interface EditsQuery {
  readonly deploymentId: string;
  readonly services: readonly string[];
  readonly from: number;
  readonly to: number;
  /** Clock of the service minus that of this machine, in ms. */
  readonly clockOffset: number;
}

/** Bytes of the largest text whose difference is kept. */
const largestText = 256 * 1024;

/** Files that a sentence names. */
const mostNamed = 5;

const verbs: Readonly<Record<TrashEntry['reason'], string>> = {
  deleted: 'was deleted',
  replaced: 'was replaced',
  saved: 'was saved',
  moved: 'was moved to ',
  discarded: 'was discarded',
};

export class EditsCollector {
  readonly files: Record<string, readonly FileRecord[]> = {};
  readonly edits: EditTexts[] = [];
  readonly events: IncidentEvent[] = [];
  /** Sentences about what could not be read. */
  readonly missing: string[] = [];
  readonly #client: FilesClient;
  readonly #trash: Pick<Trash, 'batches' | 'take'>;
  readonly #signal: AbortSignal;

  constructor(client: FilesClient, trash: Pick<Trash, 'batches' | 'take'>, signal: AbortSignal) {
    this.#client = client;
    this.#trash = trash;
    this.#signal = signal;
  }

  /** Reads the files of each service, and the edits within the span with their texts. */
  async collect(query: EditsQuery): Promise<void> {
    const { deploymentId, from, to, clockOffset } = query;
    for (const service of query.services) {
      const listed = await this.#client.list(deploymentId, service, this.#signal);
      if (!listed.ok)
        this.missing.push(`The files of ${service} were not read: ${listed.error.sentence}`);
      const records = listed.ok ? listed.value.map(({ value }) => value) : [];
      this.files[service] = records;
      const batches = await this.#trash.batches({ of: { deploymentId, service } });
      const entries = batches
        .flat()
        .filter(({ reason, at }) => reason !== 'discarded' && at >= from)
        .toSorted((left, right) => left.at - right.at);
      const edits = entries.filter(({ at }) => at <= to);
      for (const { at, path, reason, movedTo = '' } of edits) {
        this.events.push({ at, text: `${service} ${path} ${verbs[reason]}${movedTo}.` });
      }
      const paths = new Set(edits.map(({ path }) => path));
      for (const path of paths) {
        const versions = entries.filter((one) => one.path === path && one.reason !== 'moved');
        await this.#addEdit(versions, to);
      }
      const moved = new Set(edits.map(({ movedTo }) => movedTo));
      const others = records.filter((record) => {
        const at = Date.parse(record.modifiedAt ?? '') - clockOffset;
        const isEdit = paths.has(record.path) || moved.has(record.path);
        return record.directory !== true && at >= from && at <= to && !isEdit;
      });
      if (others.length > 0) this.#addOthers(service, others);
    }
  }

  /** Adds a file from before its first edit in the span to after the last one. */
  async #addEdit(versions: readonly TrashEntry[], to: number): Promise<void> {
    const [first] = versions;
    if (first === undefined || first.at > to) return;
    const { deploymentId, service, path } = first;
    const later = versions.find(({ at }) => at > to);
    const got =
      later === undefined
        ? await this.#client.get(deploymentId, service, path, this.#signal)
        : undefined;
    const isGone = got?.ok === false && got.error.code === 'not-found';
    const before = textOf((await this.#trash.take(first.id))?.bytes);
    const bytes = later === undefined ? undefined : (await this.#trash.take(later.id))?.bytes;
    const after = isGone ? '' : textOf(got?.ok === true ? got.value.bytes : bytes);
    if (before !== undefined && after !== undefined) {
      this.edits.push({ service, path, before, after });
    } else {
      const reason =
        got?.ok === false ? got.error.sentence : 'a version is damaged, binary or too large.';
      this.missing.push(`The change of ${service} ${path} is not in the file: ${reason}`);
    }
  }

  #addOthers(service: string, others: readonly FileRecord[]): void {
    const names = others.slice(0, mostNamed).map(({ path }) => path);
    const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : '';
    this.missing.push(
      `${service}: this machine has no earlier version of changed files: ${names.join(', ')}${more}.`,
    );
  }
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.length > largestText || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
