import { outputText } from '../../../source/host/logs/run.ts';
import { randomUUID } from 'node:crypto';
import { ContainerRuntime } from '../../../source/host/runtime/container.ts';
import { EngineFinder } from '../../../source/host/engine/engine-finder.ts';
import type { EngineEnvironment } from '../../../source/host/engine/engine-place.ts';
import { Ports } from '../../../source/host/runtime/ports.ts';
import type { RunEnd, RunRequest } from '../../../source/host/runtime/runtime.ts';
import { image } from './engine.ts';

/** The outcome of a run: output, events, and either its end or the failure of its start. */
export interface ContainerOutcome {
  readonly lines: readonly string[];
  readonly events: readonly string[];
  readonly failure?: string;
  readonly end?: RunEnd;
}

/** Runs a shell script as a service in a container with these files, and waits for its end. */
export async function runContainer(
  folder: string,
  script: string,
  options: {
    readonly image?: string;
    readonly env?: EngineEnvironment;
    readonly resources?: RunRequest['resources'];
  } = {},
): Promise<ContainerOutcome> {
  const lines: string[] = [];
  const events: string[] = [];
  const finder = new EngineFinder(options.env ?? process.env);
  const runtime = new ContainerRuntime(finder, new Ports(1024), `test-${randomUUID()}`, () => true);
  const deployment = randomUUID();
  const run = await runtime.start({
    deployment,
    service: {
      name: 'web',
      image: options.image ?? image,
      command: ['/bin/sh', '-c'],
      args: [script],
      env: {},
      expose: [],
      count: 1,
      dependsOn: [],
      position: { line: 1, column: 1 },
    },
    instance: 1,
    resources: options.resources ?? {},
    tree: { folder },
    onLines: (_stream, some) => {
      lines.push(...some.map(outputText));
      return undefined;
    },
    onEvent: (text) => events.push(text),
    cancelSignal: new AbortController().signal,
  });
  if ('failure' in run) {
    await runtime.release(deployment);
    return { lines, events, failure: run.failure };
  }
  const end = await run.ended;
  await runtime.release(deployment);
  return { lines, events, end };
}
