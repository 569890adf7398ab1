/** Finds Chromium or its headless shell, or installs them as root on Debian. */
import path from 'node:path';
import { installPackages, runs } from './debian.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
/** Chromium without its windows: a tab takes a fraction of the processor time. It has no back/forward cache. */
const headlessShells = ['chromium-headless-shell', 'chrome-headless-shell'];
const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

const onPath = (programs, { PATH = '' }) =>
  PATH.split(path.delimiter).flatMap((folder) => programs.map((name) => path.join(folder, name)));

/** The path of the headless shell or, where there is none, of Chromium; or null. `CHROME_PATH` takes precedence. Throws when that is not a program. */
export function findChromium(env = process.env) {
  if (env.CHROME_PATH) {
    if (!runs(env.CHROME_PATH)) throw new Error(`CHROME_PATH names ${env.CHROME_PATH}, which is not a program.`);
    return env.CHROME_PATH;
  }
  return onPath(headlessShells, env).find(runs) ?? findFullChromium(env);
}

/** The path of a Chromium as shoppers have it, or null. */
export const findFullChromium = (env = process.env) => [...usualPlaces, ...onPath(names, env)].find(runs) ?? null;

export function requireChromium() {
  try {
    if (!findChromium() && installPackages('chromium', 'fonts-noto-cjk')) installPackages('chromium-headless-shell');
    const found = findChromium();
    if (found) return found;
  } catch (error) {
    console.error(error.message);
    return null;
  }
  console.error(
    'No Chromium was found for the end-to-end tests: install Chromium or Google Chrome (Debian: apt-get install chromium), or set CHROME_PATH to it.',
  );
  return null;
}
