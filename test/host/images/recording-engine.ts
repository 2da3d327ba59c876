import { text } from 'node:stream/consumers';
import { type PretendedEngine, pretendEngine } from '../runtime/pretended-engine.ts';

/** A requested container. */
export interface RecordedContainer {
  readonly Image: string;
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
}

/** Starts a fake engine that has every image, records requests for containers, and creates none. */
export async function recordingEngine(): Promise<
  PretendedEngine & { readonly requested: readonly RecordedContainer[] }
> {
  const requested: RecordedContainer[] = [];
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
    requested.push(JSON.parse(await text(request)) as RecordedContainer);
    response.writeHead(500).end('{"message":"no room for containers"}');
    return true;
  });
  return { ...engine, requested };
}
