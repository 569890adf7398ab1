import { type ActionRequest, type Check, GateError, type PublishResult, packBuild, readBuild, type Verdict } from '..';
import {
  type ChangeInput,
  type NewKey,
  type Progress,
  type Queries,
  type ReleaseService,
  UsageError,
} from './release-service';

export class ReleaseApiError extends Error {
  constructor(
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}

interface ApiAnswer {
  result?: unknown;
  error?: { kind: string; message: string; verdict?: Verdict };
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

function resultOf({ result, error }: ApiAnswer): unknown {
  if (!error) return result;
  if (error.kind === 'gate' && error.verdict) throw new GateError(error.verdict);
  throw new ReleaseApiError(error.kind, error.message);
}

export class ReleaseApiClient implements ReleaseService {
  private key: Promise<string> | undefined;
  private readonly origin: string;

  constructor(
    readonly name: string,
    private readonly env: { RELEASE_KEY?: string; RELEASE_TOKEN?: string },
  ) {
    const url = URL.canParse(name) ? new URL(name) : null;
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname));
    if (!url || !isSafe)
      throw new UsageError(`a release API has an https address such as https://site.example, not "${name}"`);
    if (url.username || url.search) throw new UsageError('keys go in RELEASE_KEY, not in the address');
    this.origin = url.origin;
  }

  read<Name extends keyof Queries>(name: Name, query: object): ReturnType<Queries[Name]> {
    const parameters = Object.entries(query).flatMap(([parameter, value]) =>
      value === undefined ? [] : [[parameter, String(value)]],
    );
    const call = parameters.length > 0 ? `${name}?${new URLSearchParams(parameters)}` : name;
    return this.call('GET', call) as ReturnType<Queries[Name]>;
  }

  makeKey(key: NewKey): Promise<unknown> {
    return this.call('POST', 'keys', JSON.stringify(key));
  }

  revokeKey(id: string): Promise<unknown> {
    return this.call('DELETE', `keys/${id}`);
  }

  async run({ action, ...body }: ActionRequest, change: ChangeInput, { say, onCheck }: Progress): Promise<unknown> {
    const response = await this.send('POST', action, JSON.stringify({ ...body, ...change }));
    let last: ApiAnswer | undefined;
    for await (const line of linesOf(response)) {
      const { say: said, check, ...answer } = parse<ApiAnswer & { say?: string; check?: Check }>(line, response);
      if (said !== undefined) say(said);
      else if (check) onCheck(check);
      else last = answer;
    }
    if (!last)
      throw new ReleaseApiError('failed', `${this.origin} closed the connection; see: npm run release -- status`);
    return resultOf(last);
  }

  /** Sends the whole build in one call. The server stores it only after all of it has arrived. */
  async publish(dist: string, dryRun: boolean): Promise<PublishResult> {
    const build = await readBuild(dist);
    const query = new URLSearchParams({ name: build.manifest.name, dryRun: String(dryRun) });
    return this.call('POST', `publish?${query}`, packBuild(build)) as Promise<PublishResult>;
  }

  async session(): Promise<string> {
    const token = this.env.RELEASE_TOKEN;
    if (!token) throw new UsageError('set RELEASE_KEY to a key, or RELEASE_TOKEN to a token of the forge');
    const response = await this.fetch('POST', 'session', JSON.stringify({ token }), {});
    return ((await this.resultOf(response)) as { key: string }).key;
  }

  private async call(method: string, call: string, body?: string | Buffer): Promise<unknown> {
    return this.resultOf(await this.send(method, call, body));
  }

  private async send(method: string, call: string, body?: string | Buffer): Promise<Response> {
    this.key ??= this.env.RELEASE_KEY ? Promise.resolve(this.env.RELEASE_KEY.trim()) : this.session();
    return this.fetch(method, call, body, { authorization: `Bearer ${await this.key}` });
  }

  private async fetch(method: string, call: string, body: string | Buffer | undefined, headers: HeadersInit) {
    const type = typeof body === 'string' ? 'application/json' : 'application/x-tar';
    try {
      return await fetch(`${this.origin}/ops/api/${call}`, {
        method,
        // A redirect would send the key to another host.
        redirect: 'error',
        headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
        body: typeof body === 'object' ? new Uint8Array(body) : body,
      });
    } catch (error) {
      const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
      throw new ReleaseApiError(
        'failed',
        `${this.origin} cannot be reached: ${cause?.message ?? cause?.code ?? message}`,
      );
    }
  }

  private async resultOf(response: Response): Promise<unknown> {
    return resultOf(parse<ApiAnswer>(await response.text(), response));
  }
}

function parse<T>(text: string, { status, url }: Response): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new ReleaseApiError(
      'failed',
      `${new URL(url).origin} has answered ${status} without JSON: is a release API there?`,
    );
  }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    const lines = `${rest}${decoder.decode(chunk as Uint8Array, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}
