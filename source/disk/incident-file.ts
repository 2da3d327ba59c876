/**
 * Incident files: tar archives in gzip, with `README.txt`, `deployment.json`, `log.jsonl`, `marks.jsonl` and
 * `edits/SERVICE/PATH.diff` in a folder. A file that is read comes from anywhere, so nothing in it is trusted, and
 * no name of a member reaches the disk.
 */
import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { createTarDecoder, packTar } from 'modern-tar';
import { isRecord } from '../client/decode/fields.ts';
import { parseJson } from '../client/decode/long-answer.ts';
import { decodeFrameAt } from '../client/decode/logs.ts';
import { describeLocalError } from '../client/local-reason.ts';
import type { Configured } from '../config/environment.ts';
import type { LogLine } from '../contract/logs.ts';
import type { Incident, IncidentEvent, IncidentFacts } from '../store/incident/incident.ts';
import { incidentReadme } from '../store/incident/incident-readme.ts';
import { formatJsonLine } from '../store/log/format.ts';

const format = 'hostdeck incident';
/** Another version is refused; members and fields may be added without one. Version 1 was JSON lines. */
const version = 2;

/** Bytes of the largest file that is read, and of its content, and the number of its members. */
const defaultLimits = { file: 256 * 1024 * 1024, content: 1024 * 1024 * 1024, members: 10_000 };

/** Resolves with the bytes of an incident file. */
export async function packIncident(incident: Incident): Promise<Buffer> {
  const { facts, lines, marks, diffs } = incident;
  const { deploymentId: id, deploymentName, madeAt } = facts;
  const name = deploymentName.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60);
  // Without a folder, extracting would replace a README.txt that is there.
  const folder = `incident-${name}-${madeAt.slice(0, 16).replaceAll(/[-:]/g, '')}`;
  const json = JSON.stringify({ format, version, ...facts }, undefined, 2);
  const members: readonly (readonly [string, string | Buffer])[] = [
    ['README.txt', incidentReadme(incident)],
    ['deployment.json', `${json}\n`],
    ['log.jsonl', await encodeLines(lines, id)],
    ...(marks.length === 0 ? [] : [['marks.jsonl', await encodeLines(marks, id)] as const]),
    ...diffs.map(({ service, path, text }) => [diffName(service, path), text] as const),
  ];
  const entries = members.map(([path, content]) => {
    const body = typeof content === 'string' ? Buffer.from(content) : content;
    const header = { name: `${folder}/${path}`, size: body.length, mode: 0o600 };
    return { header: { ...header, mtime: new Date(madeAt) }, body };
  });
  return promisify(gzip)(await packTar(entries));
}

/** Returns the name of a difference, which leads to no other folder where it is extracted. */
function diffName(service: string, path: string): string {
  const segments = [service.replaceAll('/', '_'), ...path.split('/')].map((segment) =>
    /^\.{0,2}$/.test(segment) ? '_' : segment.replaceAll(/[\p{C}\\]/gu, '_'),
  );
  return `edits/${segments.join('/')}.diff`;
}

async function encodeLines(lines: readonly LogLine[], deploymentId: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let at = 0; at < lines.length; at += 1000) {
    const some = lines.slice(at, at + 1000).map((line) => formatJsonLine(line, deploymentId));
    chunks.push(Buffer.from(some.join('')));
    // A console goes on drawing meanwhile.
    await new Promise(setImmediate);
  }
  return Buffer.concat(chunks);
}

/** The reason why a file is not shown. */
class Refusal extends Error {
  readonly next: string;

  constructor(sentence: string, next = '') {
    super(sentence);
    this.next = next;
  }
}

const noIncident = "This isn't an incident file.";
const writesOne = 'hostdeck incident NAME --output FILE writes one.';
const copyAgain = 'Copy it again from where it was written.';

/** Resolves with the incident in a file, or with a sentence about why there is none. */
export async function readIncidentFile(
  file: string,
  limits = defaultLimits,
): Promise<Configured<Incident>> {
  try {
    const members = await readMembers(await readContent(file, limits), limits);
    return { ok: true, value: decodeIncident(members) };
  } catch (error) {
    const { message: sentence, next } = error instanceof Refusal ? error : refusalOf(file, error);
    return { ok: false, problem: { sentence, next } };
  }
}

function refusalOf(file: string, error: unknown): Refusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_BUFFER_TOO_LARGE') return tooLarge();
  if (code === 'Z_BUF_ERROR')
    return new Refusal('This incident file is cut: its end is missing.', copyAgain);
  return /^E[A-Z]+$/.test(code)
    ? new Refusal(`Can't read ${file}: ${describeLocalError(error)}.`)
    : new Refusal("This isn't an incident file, or it is damaged.", writesOne);
}

function tooLarge(): Refusal {
  return new Refusal(
    'This file is too large for an incident file.',
    'hostdeck writes none as large; it may have been made to do harm.',
  );
}

async function readContent(file: string, limits: typeof defaultLimits): Promise<Buffer> {
  await using handle = await open(file, 'r');
  const found = await handle.stat();
  if (!found.isFile()) throw new Refusal(`Can't read ${file}: it isn't a file.`);
  if (found.size > limits.file) throw tooLarge();
  const packed = await handle.readFile();
  const content = await promisify(gunzip)(packed, { maxOutputLength: limits.content });
  if (content.toString('latin1', 0, 18) !== '{"kind":"incident"') return content;
  const sentence =
    'This incident file has the format of an earlier hostdeck, which is no longer read.';
  throw new Refusal(sentence, 'zcat FILE | jq prints it.');
}

/** Resolves with the members of an archive by their names below the folder of `deployment.json`. */
async function readMembers(
  content: Buffer,
  limits: typeof defaultLimits,
): Promise<ReadonlyMap<string, Buffer>> {
  const members: [string, Buffer][] = [];
  const entries = ReadableStream.from([content]).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of entries) {
    if (members.length >= limits.members) throw tooLarge();
    members.push([header.name, await buffer(body)]);
  }
  const [first = ''] = members.find(([name]) => /(?:^|\/)deployment\.json$/.test(name)) ?? [];
  const { length } = first.slice(0, -'deployment.json'.length);
  return new Map(members.map(([name, bytes]) => [name.slice(length), bytes]));
}

function decodeIncident(members: ReadonlyMap<string, Buffer>): Incident {
  const facts = members.get('deployment.json');
  if (facts === undefined) throw new Refusal(noIncident, writesOne);
  const diffs = [...members].flatMap(([name, bytes]) => {
    const [, service = '', path] = /^edits\/([^/]+)\/(.+)\.diff$/s.exec(name) ?? [];
    return path === undefined ? [] : [{ service, path, text: bytes.toString() }];
  });
  const [log, marks] = [members.get('log.jsonl'), members.get('marks.jsonl')];
  if (log === undefined) throw damaged('log.jsonl');
  return {
    facts: decodeFacts(facts.toString()),
    lines: linesOf(log, 'log.jsonl'),
    marks: marks === undefined ? [] : linesOf(marks, 'marks.jsonl'),
    diffs,
  };
}

function damaged(place: string): Refusal {
  return new Refusal(`This incident file is damaged: ${place} can't be read.`, copyAgain);
}

function linesOf(bytes: Buffer, name: string): readonly LogLine[] {
  const lines = decodeLines(bytes);
  const at = lines.indexOf(undefined);
  if (at >= 0) throw damaged(`line ${at + 1} of ${name}`);
  return lines.filter((line) => line !== undefined);
}

/** Returns the lines of the text that {@link formatJsonLine} makes; undefined for one that can't be read. */
export function decodeLines(bytes: Buffer): readonly (LogLine | undefined)[] {
  const lines: (LogLine | undefined)[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    const frame = decodeFrameAt(bytes, start, end);
    lines.push(frame.kind === 'line' ? frame.line : undefined);
    start = end + 1;
  }
  return lines;
}

const textFields = [
  'hostdeck',
  'madeAt',
  'from',
  'to',
  'timeZone',
  'baseUrl',
  'profile',
  'deploymentId',
  'deploymentName',
] as const;

function decodeFacts(text: string): IncidentFacts {
  const json = parseJson(text)?.value;
  const found = isRecord(json) ? json['version'] : undefined;
  if (!isRecord(json) || json['format'] !== format || typeof found !== 'number') {
    throw new Refusal(noIncident, writesOne);
  }
  if (found !== version) {
    const sentence = `This file has version ${found} of the format; this hostdeck reads version ${version}.`;
    throw new Refusal(sentence, 'Open it with a newer hostdeck.');
  }
  const texts = Object.fromEntries(
    textFields.map((name) => [name, typeof json[name] === 'string' ? json[name] : '']),
  ) as Record<(typeof textFields)[number], string>;
  const times = [texts.madeAt, texts.from, texts.to].map((time) => Date.parse(time));
  if (times.some(Number.isNaN) || texts.deploymentId === '') throw damaged('deployment.json');
  const { deployment, files, clockOffset, events, missing, masked } = json;
  return {
    ...texts,
    clockOffset: Number.isFinite(clockOffset) ? Number(clockOffset) : 0,
    // The client decodes the records, like those of a service.
    deployment: isRecord(deployment) ? deployment : {},
    files: Object.fromEntries(
      Object.entries(isRecord(files) ? files : {}).filter(([, listed]) => Array.isArray(listed)),
    ) as IncidentFacts['files'],
    events: (Array.isArray(events) ? events : []).filter(isEvent),
    missing: (Array.isArray(missing) ? missing : []).filter((one) => typeof one === 'string'),
    masked: isCounts(masked) ? masked : { secrets: 0, places: 0 },
  };
}

function isEvent(value: unknown): value is IncidentEvent {
  return isRecord(value) && Number.isFinite(value['at']) && typeof value['text'] === 'string';
}

function isCounts(value: unknown): value is IncidentFacts['masked'] {
  return isRecord(value) && Number.isFinite(value['secrets']) && Number.isFinite(value['places']);
}
