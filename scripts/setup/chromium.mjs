/** Finds Chromium, or installs it as root on Debian. */
import path from 'node:path';
import { installPackages, runs } from './debian.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
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

/** The path of a Chromium, or null. `CHROME_PATH` takes precedence. Throws when that is not a program. */
export function findChromium(env = process.env) {
  if (env.CHROME_PATH) {
    if (!runs(env.CHROME_PATH)) throw new Error(`CHROME_PATH names ${env.CHROME_PATH}, which is not a program.`);
    return env.CHROME_PATH;
  }
  const onPath = (env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)));
  return [...usualPlaces, ...onPath].find(runs) ?? null;
}

export function requireChromium() {
  try {
    const found = findChromium() ?? (installPackages('chromium', 'fonts-noto-cjk') ? findChromium() : null);
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
