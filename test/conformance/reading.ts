import { expect } from 'vitest';
import {
  decodeItems,
  decodeResource,
  findList,
  findRefusal,
} from '../../source/client/decode/envelope.ts';
import {
  decodeDeployment,
  type DecodedDeployment,
} from '../../source/client/decode/deployments.ts';
import type { Decoded } from '../../source/client/decode/fields.ts';
import { decodeFile } from '../../source/client/decode/files.ts';
import { decodeGrant, decodeGrants } from '../../source/client/decode/grants.ts';
import { decodeLogs } from '../../source/client/decode/logs.ts';
import {
  decodeContent,
  type ContentEvidence,
  updateContentEvidence,
  noContentEvidence,
  classifyContent,
} from '../../source/client/file-content.ts';
import type { FileRecord } from '../../source/contract/files.ts';
import type { Grant } from '../../source/contract/grants.ts';
import type { LogLine } from '../../source/contract/logs.ts';
import type { Answer } from './caller.ts';

/** Readers of answers in any envelope, since the contract specifies only one. */

/** Expects success and returns the answer. */
export function done(answer: Answer): Answer {
  const { operation, status, text } = answer;
  expect(isDone(answer), `${operation} answered ${status} ${text.slice(0, 300)}`).toBe(true);
  return answer;
}

/** Expects a failure with any status and returns the answer. */
export function refused(answer: Answer): Answer {
  const { operation, status, text } = answer;
  expect(isDone(answer), `${operation} answered ${status} ${text.slice(0, 300)}`).toBe(false);
  return answer;
}

function isDone({ status, json }: Answer): boolean {
  return status >= 200 && status < 300 && findRefusal(json) === undefined;
}

export function deploymentIn(answer: Answer): DecodedDeployment {
  return read(answer, decodeResource(done(answer).json, 'deployment', decodeDeployment));
}

export function deploymentIdsIn(answer: Answer): readonly string[] {
  const list = findList(done(answer).json, 'deployments');
  if (list === undefined) throw new Error(`${answer.operation}: no list of deployments`);
  return read(answer, decodeItems(list, decodeDeployment)).map(({ value }) => value.id);
}

export function filesIn(answer: Answer): readonly FileRecord[] {
  const list = findList(done(answer).json, 'files');
  if (list === undefined) throw new Error(`${answer.operation}: no list of files`);
  const files = read(answer, decodeItems(list, decodeFile)).map(({ value }) => value);
  return files.filter(({ directory }) => directory !== true);
}

/** Returns the sorted paths of the files in a list. */
export function pathsIn(answer: Answer): readonly string[] {
  return filesIn(answer)
    .map(({ path }) => path)
    .sort();
}

/** Evidence from the files read so far for raw or enveloped contents. */
let habit: ContentEvidence = noContentEvidence;

/** Returns the bytes of a file. */
export function contentIn(answer: Answer, path: string): Buffer {
  const { bytes, operation, status, text } = answer;
  expect(status, `${operation} answered ${status} ${text.slice(0, 300)}`).toBeLessThan(300);
  habit = updateContentEvidence(path, bytes, habit);
  const reading = classifyContent(path, bytes, habit, true);
  if (reading.kind !== 'envelope') return bytes;
  const content = decodeContent(reading.envelope.content, reading.envelope.encoding);
  if (content === undefined) throw new Error(`${path}: the content is not what its encoding says`);
  return Buffer.from(content);
}

/** Returns the log lines in the answer's order. */
export function linesIn(answer: Answer): readonly LogLine[] {
  return read(answer, decodeLogs(done(answer).json, answer.text)).map(({ value }) => value);
}

export function textsIn(answer: Answer): readonly string[] {
  return linesIn(answer).map(({ logLine }) => logLine);
}

export function grantIn(answer: Answer): Grant {
  return read(answer, decodeResource(done(answer).json, 'grant', decodeGrant)).value;
}

export async function grantsIn(answer: Answer): Promise<readonly Grant[]> {
  const grants = read(answer, await decodeGrants(done(answer).json, answer.text));
  return grants.map(({ value }) => value);
}

function read<T>({ operation, text }: Answer, decoded: Decoded<T>): T {
  if (decoded.ok) return decoded.value;
  throw new Error(`${operation}: ${decoded.field} ${decoded.problem}: ${text.slice(0, 300)}`);
}
