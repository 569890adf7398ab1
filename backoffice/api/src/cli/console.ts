import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { StaffError } from '@shop/server/cli/common';
import { ErrorCode } from '@shop/shared/domain';
import type { Command } from './commands';

export type Terminal = NodeJS.ReadableStream & { isTTY?: boolean };

interface ConsoleSession {
  url: string;
  name: string;
  cookie: string;
}

interface ConsoleInput {
  command: Command;
  env: NodeJS.ProcessEnv;
  input: Terminal;
  ask(text: string): void;
}

/** Calls /staff/api as a signed-in user: on either database, while the shop runs, with that user's role. */
export async function consoleCommand(input: ConsoleInput): Promise<unknown> {
  const { command, env } = input;
  const action = command.argument(0, 'login, call or logout');
  if (action === 'login') return login(input);
  if (action === 'call') return callAsUser(readSession(env), command);
  if (action !== 'logout') throw new StaffError(`"${action}" is none of login, call, logout.`);
  const { url, cookie } = readSession(env);
  // The local session ends even if the shop does not answer.
  fs.rmSync(sessionFile(env), { force: true });
  await dataOf(await send(url, '/staff/api/session', { method: 'DELETE', cookie }));
  return 'Signed out.';
}

const methods = ['GET', 'POST', 'DELETE'] as const;

async function callAsUser({ url, cookie }: ConsoleSession, command: Command): Promise<unknown> {
  const typed = command.argument(1, `a method: ${methods.join(', ')}`).toUpperCase();
  const method = methods.find((method) => method === typed);
  if (!method) throw new StaffError(`"${typed}" is none of ${methods.join(', ')}.`);
  const path = command.argument(2, 'an address like /staff/api/queue');
  // No other origin or path gets the session.
  const address = URL.parse(path, url);
  if (address?.origin !== url || !address.pathname.startsWith('/staff/api/'))
    throw new StaffError(`"${path}" is not an address like /staff/api/queue.`);
  return dataOf(await send(url, address.pathname + address.search, { method, body: bodyOf(command.rest[3]), cookie }));
}

function bodyOf(text: string | undefined): object | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StaffError(`The body is not JSON: ${(error as Error).message}.`);
  }
}

async function login({ command, env, input, ask }: ConsoleInput): Promise<string> {
  const name = command.argument(1, 'a name');
  const url = consoleUrl(command.options.url ?? `http://localhost:${env.STAFF_PORT ?? 8081}`);
  const [password = '', code = ''] = await answersTo(['Password: ', 'Code of the authenticator app: '], input, ask);
  const response = await send(url, '/staff/api/session', {
    method: 'POST',
    body: { name, password, code: code.trim() },
  });
  const cookie = /^(?:__Host-)?staff=[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0];
  const me = (await dataOf(response)) as { name: string; role: string };
  if (!cookie) throw new StaffError(`${url} sent no session cookie.`);
  writeSession(env, { url, name: me.name, cookie });
  return `Signed in at ${url} as ${me.name} (${me.role}), until half an hour without an act. Sign out: staff logout`;
}

/** Throws StaffError if the password would travel unencrypted. */
function consoleUrl(text: string): string {
  const url = URL.parse(text);
  const isLocal = url && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (!url || (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')))
    throw new StaffError(`"${text}" is not an address like https://staff.shop.example.`);
  return url.origin;
}

async function answersTo(questions: string[], input: Terminal, ask: (text: string) => void): Promise<string[]> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: input.isTTY ?? false });
  const reader = lines[Symbol.asyncIterator]();
  try {
    const answers: string[] = [];
    for (const question of questions) {
      ask(question);
      const { value, done } = await reader.next();
      if (done) throw new StaffError('The input is empty.');
      answers.push(value);
    }
    return answers;
  } finally {
    lines.close();
  }
}

const sessionFile = (env: NodeJS.ProcessEnv) =>
  env.STAFF_SESSION_FILE ?? path.join(os.homedir(), '.game-shop-staff.json');

function writeSession(env: NodeJS.ProcessEnv, session: ConsoleSession): void {
  const file = sessionFile(env);
  // An existing file would keep its mode when it is rewritten.
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, JSON.stringify(session), { mode: 0o600, flag: 'wx' });
}

function readSession(env: NodeJS.ProcessEnv): ConsoleSession {
  const file = sessionFile(env);
  if (!fs.existsSync(file)) throw new StaffError(signInFirst);
  if (process.platform !== 'win32' && fs.statSync(file).mode & 0o077)
    throw new StaffError(`${file} can be read by others: delete it, and sign in again.`);
  return JSON.parse(fs.readFileSync(file, 'utf8')) as ConsoleSession;
}
const signInFirst = 'You are not signed in: npm run shop -- staff login <name>';

interface CallOptions {
  method: (typeof methods)[number];
  body?: object;
  cookie?: string;
}

const send = (url: string, path: string, { method, body, cookie }: CallOptions): Promise<Response> =>
  fetch(url + path, {
    method,
    headers: {
      // The API accepts requests of the console's own page only; these headers declare that no other site sent this one.
      'x-staff': 'act',
      'sec-fetch-site': 'same-origin',
      origin: url,
      locale: 'en',
      ...(cookie && { cookie }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  }).catch(() => {
    throw new StaffError(`${url} does not answer.`);
  });

async function dataOf(response: Response): Promise<unknown> {
  if (response.headers.has('content-disposition')) return response.text();
  const answer = (await response.json().catch(() => ({}))) as { code?: number; message?: string; data?: unknown };
  if (answer.code === 200) return answer.data;
  if (answer.code === ErrorCode.Unauthorized) throw new StaffError(signInFirst);
  const details = answer.data ? ` ${JSON.stringify(answer.data)}` : '';
  throw new StaffError(`${answer.message ?? 'This address is no console'}.${details}`);
}
