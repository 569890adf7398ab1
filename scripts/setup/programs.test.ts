import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findProgram } from './programs.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'programs-'));
function addProgram(place: string, mode = 0o755): string {
  const file = path.join(folder, place);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, mode);
  return file;
}
const full = addProgram('first/chromium');
const shell = addProgram('second/chromium-headless-shell');
const PATH = ['first', 'second'].map((name) => path.join(folder, name)).join(path.delimiter);

it('findProgram prefers the headless shell to a Chromium with windows', () => {
  expect(findProgram('chromium', { PATH })).toBe(shell);
  expect(findProgram('fullChromium', { PATH })).toBe(full);
});

it('findProgram uses the program of the variable, and refuses a file that cannot be executed', () => {
  const chosen = addProgram('own/browser');
  expect(findProgram('chromium', { PATH, CHROME_PATH: chosen })).toBe(chosen);
  const text = addProgram('own/text', 0o644);
  expect(() => findProgram('chromium', { PATH, CHROME_PATH: text })).toThrow(`CHROME_PATH names ${text}`);
});

it('findProgram prefers the folders of PATH to the usual ones', () => {
  const nginx = addProgram('second/nginx');
  expect(findProgram('nginx', { PATH })).toBe(nginx);
});
