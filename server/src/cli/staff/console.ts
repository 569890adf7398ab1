import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { randomNumber } from '../../platform/crypto/tokens';
import type { Command } from '../commands';
import { StaffError } from './common';

/** A terminal, or lines from another program. */
export type Terminal = NodeJS.ReadableStream & { isTTY?: boolean };

interface ConsoleSession {
  url: string;
  name: string;
  cookie: string;
}

interface Asked {
  command: Command;
  env: NodeJS.ProcessEnv;
  input: Terminal;
  /** Shows a question. */
  ask(text: string): void;
}

/** Acts of somebody who has signed in, by the calls of /staff: on either database, while the shop runs, with that person's role. */
const acts: Record<string, (session: ConsoleSession, command: Command) => Promise<unknown>> = {
  queue: async (session) => {
    const { orders } = await call<{ orders: Array<Record<string, unknown>> }>(session, 'queue');
    return orders.map(({ order_no, kind, name, face_value, quantity, amount, currency, due_at, taken }) => ({
      ...{ order_no, kind, name, face_value, quantity, amount, currency, due_at },
      taken_by: (taken as { by: string } | null)?.by ?? '',
    }));
  },
  find: async (session, command) => {
    const text = command.argument(1, 'a number, a phone or an email');
    return call(session, `find?q=${encodeURIComponent(text)}`);
  },
  fields: async (session, command) => {
    const order_no = await taken(session, command);
    return (await call<{ fields: object }>(session, 'queue/fields', { order_no })).fields;
  },
  deliver: async (session, command) => {
    const order_no = await taken(session, command);
    const { note, 'not-delivered': supplier_ok } = command.options;
    await call(session, 'queue/deliver', { order_no, note, ...(supplier_ok && { supplier_ok }) });
  },
  refund: async (session, command) => {
    const { amount, to = 'wallet', key = randomNumber(), ...options } = command.options;
    const { state, ...sum } = await call<{ state: string; amount: string; currency: string }>(session, 'refunds', {
      order_no: command.argument(1, 'an order number'),
      ...(amount && { amount }),
      ...{ target: to, reason: command.option('reason'), key },
      ...(options['not-delivered'] && { not_delivered: true }),
      ...(options['revealed-ok'] && { revealed_ok: true }),
    }).catch((error) => {
      // It may have been made all the same.
      if (!(error instanceof NoAnswerError)) throw error;
      throw new StaffError(`${error.message} Send it again with --key ${key}: the same key is one refund.`);
    });
    return `${sum.amount} ${sum.currency}: ${outcomes[state] ?? state}`;
  },
};
const outcomes: Record<string, string> = {
  done: 'refunded.',
  pending: 'sent; the provider has not answered yet.',
  returned: 'the provider refused; the wallet has it.',
  second: 'waits for a second person, at /staff under Refunds.',
  refused: 'this refund was refused.',
};

export const isConsoleCommand = ({ name }: Command): boolean => name === 'staff';

export async function consoleCommand(asked: Asked): Promise<unknown> {
  const { command, env } = asked;
  const action = command.argument(0, 'an action');
  if (action === 'login') return login(asked);
  const act = Object.hasOwn(acts, action) ? acts[action] : undefined;
  if (action !== 'logout' && !act)
    throw new StaffError(`"${action}" is none of login, logout, ${Object.keys(acts).join(', ')}.`);
  const session = readSession(env);
  if (act) return act(session, command);
  // Ended here also when the shop does not answer.
  fs.rmSync(sessionFile(env), { force: true });
  await call(session, 'session', undefined, 'DELETE');
}

async function login({ command, env, input, ask }: Asked): Promise<string> {
  const name = command.argument(1, 'a name');
  const url = shopUrl(command.options.url ?? `http://localhost:${env.PORT ?? 8080}`);
  const [password = '', code = ''] = await answersTo(['Password: ', 'Code of the authenticator app: '], input, ask);
  const response = await send(url, 'session', { method: 'POST', body: { name, password, code: code.trim() } });
  const cookie = /^staff=[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0];
  const me = await dataOf<{ name: string; role: string }>(response);
  if (!cookie) throw new StaffError(`${url} opened no session.`);
  writeSession(env, { url, name: me.name, cookie });
  return `Signed in at ${url} as ${me.name} (${me.role}), until half an hour without an act. Sign out: staff logout`;
}

/** Throws StaffError where the password would travel in the clear. */
function shopUrl(text: string): string {
  const url = URL.parse(text);
  const isLocal = url && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (!url || (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')))
    throw new StaffError(`"${text}" is not an address like https://shop.example.`);
  return url.origin;
}

/** A line for each question. What is typed at a terminal does not appear. */
async function answersTo(questions: string[], input: Terminal, ask: (text: string) => void): Promise<string[]> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: input.isTTY ?? false });
  const reader = lines[Symbol.asyncIterator]();
  try {
    const answers: string[] = [];
    for (const question of questions) {
      ask(question);
      const { value, done } = await reader.next();
      if (done) throw new StaffError('Nothing was typed.');
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
  // A file that exists keeps its mode when it is written.
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
const signInFirst = 'Nobody is signed in: npm run shop -- staff login <name>';

async function taken(session: ConsoleSession, command: Command): Promise<string> {
  const order_no = command.argument(1, 'an order number');
  await call(session, 'queue/take', { order_no });
  return order_no;
}

class NoAnswerError extends StaffError {}

interface CallOptions {
  method: 'GET' | 'POST' | 'DELETE';
  body?: object;
  cookie?: string;
}

const send = (url: string, call: string, { method, body, cookie }: CallOptions): Promise<Response> =>
  fetch(`${url}/staff/api/${call}`, {
    method,
    headers: {
      ...{ 'x-staff': 'act', locale: 'en' },
      ...(cookie && { cookie }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => {
    throw new NoAnswerError(`${url} does not answer.`);
  });

async function call<T>(session: ConsoleSession, path: string, body?: object, method?: 'DELETE'): Promise<T> {
  const { url, cookie } = session;
  return dataOf<T>(await send(url, path, { method: method ?? (body ? 'POST' : 'GET'), body, cookie }));
}

const hints: Partial<Record<number, string>> = {
  [ErrorCode.Unauthorized]: signInFirst,
  [ErrorCode.SupplierRequestOpen]:
    'The supplier may still deliver. If it has confirmed that it did not and will not, add --not-delivered.',
  [StaffErrorCode.CodesRevealed]:
    'The buyer has seen the codes and may have used them. To refund anyway, add --revealed-ok.',
};

async function dataOf<T>(response: Response): Promise<T> {
  const answer = (await response.json().catch(() => ({}))) as { code?: number; message?: string; data?: T };
  if (answer.code === 200) return answer.data as T;
  throw new StaffError(hints[answer.code ?? 0] ?? `${answer.message ?? 'This address is no shop'}.`);
}
