import { text } from 'node:stream/consumers';
import { type PretendedEngine, pretendEngine } from '../runtime/pretended-engine.ts';

/** A container as an engine was asked for it. */
export interface RecordedContainer {
  readonly Image: string;
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
}

/** An engine that has every image, notes the containers that it is asked for, and makes none. */
export async function recordingEngine(): Promise<
  PretendedEngine & { readonly asked: readonly RecordedContainer[] }
> {
  const asked: RecordedContainer[] = [];
  const engine = await pretendEngine(async (url, response, request) => {
    const { pathname } = new URL(url, 'http://engine');
    if (/\/images\/.+\/json$/.test(pathname)) {
      response.end('{"Id":"sha256:0"}');
      return true;
    }
    if (request.method === 'GET' && pathname.endsWith('/networks')) {
      response.end('[]');
      return true;
    }
    if (!pathname.endsWith('/containers/create')) return false;
    asked.push(JSON.parse(await text(request)) as RecordedContainer);
    response.writeHead(500).end('{"message":"no room for containers"}');
    return true;
  });
  return { ...engine, asked };
}
