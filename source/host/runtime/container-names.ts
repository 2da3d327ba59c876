import type Docker from 'dockerode';
import { answerWithin, readFromEngine } from './container-answers.ts';

const answerMs = 15_000;

/**
 * Why an engine does not answer the names of containers on this network, as a few words; undefined
 * where it does, or does not tell. Docker always does. Podman makes such networks without a word
 * also where the program that would answer is missing, and tells of that in its own API only; before
 * 4.7 not everywhere.
 */
export async function whyNameless(docker: Docker, network: string): Promise<string | undefined> {
  const [inspected, info] = await Promise.all([
    fromPodman(docker, `networks/${encodeURIComponent(network)}/json`),
    fromPodman(docker, 'info'),
  ]);
  if (read(inspected, 'dns_enabled') === false) return "Podman's networks have no dnsname plug-in";
  const backend = read(read(info, 'host'), 'networkBackendInfo');
  if (read(backend, 'backend') !== 'netavark') return undefined;
  const program = read(read(backend, 'dns'), 'path') ?? '';
  return program === '' ? 'Podman has no aardvark-dns' : undefined;
}

/** Undefined where the engine is not Podman. */
async function fromPodman(docker: Docker, path: string): Promise<unknown> {
  try {
    return await answerWithin(answerMs, readFromEngine(docker, `/v4.0.0/libpod/${path}`));
  } catch {
    return undefined;
  }
}

function read(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}
