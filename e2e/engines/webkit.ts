/** WebKitGTK, the engine of Safari on Debian, by its own WebDriver (https://www.w3.org/TR/webdriver2/), on a separate display. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@platform/pages/testing/nginx';
import { expect } from '@playwright/test';
import { startProgram } from '../src/program';
import type { Engine } from './tab';

const noAnimations = '[Settings]\ngtk-enable-animations=0\n';

export async function launchWebKit(command: string): Promise<Engine> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'shop-webkit-'));
  mkdirSync(path.join(home, 'gtk-3.0'));
  writeFileSync(path.join(home, 'gtk-3.0', 'settings.ini'), noAnimations);
  const screen = startProgram('Xvfb', ['-displayfd', '1', '-screen', '0', '1400x1400x24', '-nolisten', 'tcp']);
  const [display] = await screen.wrote(/^\d+$/m);
  const port = await freePort();
  const folders = { XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home };
  const driver = startProgram(command, [`--port=${port}`], {
    env: { ...process.env, ...folders, DISPLAY: `:${display}` },
  });
  const send = async <Result>(method: string, address: string, body?: object): Promise<Result> => {
    const answer = await fetch(`http://127.0.0.1:${port}${address}`, {
      method,
      body: body ? JSON.stringify(body) : undefined,
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  await expect.poll(() => send('GET', '/status').catch((error) => error.message)).toHaveProperty('ready', true);
  const args = ['--automation', '--enable-write-console-messages-to-stdout=true'];
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { args } } },
  });
  const session = `/session/${sessionId}`;
  const call = (source: string, args: unknown[]) =>
    send('POST', `${session}/execute/sync`, { script: `return (${source})(...arguments)`, args });

  return {
    async open(url) {
      await send('POST', `${session}/url`, { url });
    },
    call,
    async input(actions) {
      await send('POST', `${session}/actions`, { actions });
    },
    async resize({ width, height }) {
      // Size of the window, whose frame is known only then. Its toolbar makes it at least 447 pixels wide, where the shop still
      // has its phone layout.
      await send('POST', `${session}/window/rect`, { width, height });
      const inner = (await call('() => innerHeight', [])) as number;
      await send('POST', `${session}/window/rect`, { width, height: height + height - inner });
    },
    async screenshot() {
      return Buffer.from(await send<string>('GET', `${session}/screenshot`), 'base64');
    },
    errors: () => driver.output().match(/^CONSOLE .*ERROR .*$/gm) ?? [],
    async close() {
      await send('DELETE', session);
      await driver.end();
      await screen.end();
      rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
