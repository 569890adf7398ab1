/** The installed Firefox by WebDriver BiDi, which it supports without a driver (https://w3c.github.io/webdriver-bidi/). */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import { startProgram } from '../src/program';
import type { Engine } from './tab';

const preferences = [
  // Like the Chromium tests: an animation takes a whole core if the browser renders without a GPU.
  'user_pref("ui.prefersReducedMotion", 1);',
  'user_pref("intl.accept_languages", "zh-CN, zh");',
];

interface LogEntry {
  level: string;
  type: string;
  text: string;
}

/** The hash of an empty script: Firefox compares a script with it when a navigation ends its load, and logs an error. */
const hashOfNothing = createHash('sha384').digest('base64');

export async function launchFirefox(command: string): Promise<Engine> {
  const profile = mkdtempSync(path.join(os.tmpdir(), 'shop-firefox-'));
  writeFileSync(path.join(profile, 'user.js'), preferences.join('\n'));
  const args = ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', profile];
  const firefox = startProgram(command, args);
  const [, address] = await firefox.wrote(/WebDriver BiDi listening on (ws:\S+)/);
  const errors: string[] = [];
  const session = await connect(`${address}/session`, (method, params) => {
    const { level, type, text } = params as LogEntry;
    if (method !== 'log.entryAdded' || level !== 'error' || text.includes(hashOfNothing)) return;
    errors.push(`${type}: ${text}`);
  });
  await session.send('session.new', { capabilities: {} });
  await session.send('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts } = await session.send<{ contexts: Array<{ context: string }> }>('browsingContext.getTree', {});
  const context = contexts[0]?.context;

  return {
    async open(url) {
      await session.send('browsingContext.navigate', { context, url, wait: 'interactive' });
    },
    async call(source, args) {
      const answer = await session.send<CallAnswer>('script.callFunction', {
        functionDeclaration: `async (args) => JSON.stringify(await (${source})(...JSON.parse(args))) ?? null`,
        arguments: [{ type: 'string', value: JSON.stringify(args) }],
        target: { context },
        awaitPromise: true,
      });
      if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text);
      return answer.result?.value === undefined ? undefined : JSON.parse(answer.result.value);
    },
    async input(actions) {
      await session.send('input.performActions', { context, actions });
    },
    async resize(viewport) {
      await session.send('browsingContext.setViewport', { context, viewport });
    },
    async screenshot() {
      const { data } = await session.send<{ data: string }>('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
    errors: () => errors,
    async close() {
      session.close();
      await firefox.end();
      rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

interface CallAnswer {
  result?: { value?: string };
  exceptionDetails?: { text: string };
}

async function connect(url: string, onEvent: (method: string, params: unknown) => void) {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let last = 0;
  socket.on('message', (data) => {
    const { id, method, params, result, error, message } = JSON.parse(String(data));
    if (method) return onEvent(method, params);
    const command = waiting.get(id);
    waiting.delete(id);
    if (error) command?.reject(new Error(`${error}: ${message}`));
    else command?.resolve(result);
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has closed the session'));
  });
  return {
    send: <Result>(method: string, params: object): Promise<Result> =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve: resolve as (result: unknown) => void, reject });
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    close: () => socket.close(),
  };
}
