import { Agent, type FormData, request } from 'undici';
import {
  type OperationName,
  operations,
  type PathForm,
  type RouteParameters,
  routePath,
} from '../../source/contract/routes.ts';

export interface Answer {
  readonly operation: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  /** Parsed body; undefined if it is not JSON. */
  readonly json: unknown;
}

export interface CallOptions extends RouteParameters {
  readonly json?: unknown;
  readonly form?: FormData;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Base URL to use instead of the service's. */
  readonly pathForm?: PathForm;
}

/** Parameters of an operation's route. */
export interface Place {
  readonly baseUrl: string;
  readonly pathForm: PathForm;
}

/**
 * Sends the requests of all callers. The default of the process may be the agent that Node.js has
 * built in, which never sends a form of the package.
 */
const agent = new Agent();

/** A caller of the service with a token. */
export class Caller {
  readonly token: string | undefined;
  readonly place: Place;

  constructor(place: Place, token: string | undefined) {
    this.place = place;
    this.token = token;
  }

  /** Returns a caller of the same service with another token, or without one. */
  with(token: string | undefined): Caller {
    return new Caller(this.place, token);
  }

  async call(operation: OperationName, options: CallOptions = {}): Promise<Answer> {
    const { json, form, query = {}, headers = {}, pathForm, ...parameters } = options;
    const path = routePath(operation, parameters, pathForm ?? this.place.pathForm);
    const url = new URL(this.place.baseUrl.replace(/\/+$/, '') + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return await this.send(operations[operation].method, url, {
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: form ?? (json === undefined ? undefined : JSON.stringify(json)),
    });
  }

  /** Sends a request that is not one of the operations. */
  async send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: URL | string,
    content: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: FormData | string | undefined;
    } = {},
  ): Promise<Answer> {
    const base = this.place.baseUrl.replace(/\/+$/, '');
    const target = typeof url === 'string' ? new URL(base + url) : url;
    const response = await request(target, {
      dispatcher: agent,
      method,
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...content.headers,
      },
      body: content.body,
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const text = bytes.toString();
    return {
      operation: `${method} ${target.pathname}`,
      status: response.statusCode,
      headers: response.headers,
      bytes,
      text,
      json: parsed(text),
    };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
