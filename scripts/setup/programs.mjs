/** Finds programs of the system, or installs them as root on Debian. It needs no packages: in a fresh clone none are installed. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const postgresVersions = '/usr/lib/postgresql';
/** Folders that are searched after those of PATH. */
const usualFolders = [
  ...['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin', '/snap/bin'],
  '/Applications/Google Chrome.app/Contents/MacOS',
  '/Applications/Chromium.app/Contents/MacOS',
  'C:\\Program Files\\Google\\Chrome\\Application',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application',
  ...(existsSync(postgresVersions) ? readdirSync(postgresVersions) : [])
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(postgresVersions, version, 'bin')),
];

const fullChromium = [
  ...['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'],
  ...['Google Chrome', 'Chromium', 'chrome.exe', 'msedge.exe'],
];
const programs = {
  /** The headless shell uses a fraction of the processor time; it has no back/forward cache. */
  chromium: {
    names: ['chromium-headless-shell', 'chrome-headless-shell', ...fullChromium],
    variable: 'CHROME_PATH',
    packages: [['chromium', 'fonts-noto-cjk'], ['chromium-headless-shell']],
  },
  fullChromium: { names: fullChromium, packages: [['chromium']] },
  nginx: { names: ['nginx'], variable: 'NGINX_PATH', packages: [['nginx', 'openssl']] },
  /** The other programs of PostgreSQL are in the same folder. */
  initdb: { names: ['initdb'], packages: [['postgresql']] },
  pgbouncer: { names: ['pgbouncer'], packages: [['pgbouncer']] },
  firefox: { names: ['firefox-esr', 'firefox'], variable: 'FIREFOX_PATH', packages: [['firefox-esr']] },
  webkitDriver: { names: ['WebKitWebDriver'], variable: 'WEBKIT_DRIVER_PATH', packages: [['webkit2gtk-driver']] },
  xvfb: { names: ['Xvfb'], packages: [['xvfb']] },
};

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a program, or null. The variable of the program takes precedence; throws if it does not name a program. */
export function findProgram(name, env = process.env) {
  const { names, variable } = programs[name];
  const chosen = variable && env[variable];
  if (chosen && !isProgram(chosen)) throw new Error(`${variable} names ${chosen}, which is not a program.`);
  if (chosen) return chosen;
  const folders = [...(env.PATH ?? '').split(path.delimiter).filter(Boolean), ...usualFolders];
  return names.flatMap((file) => folders.map((folder) => path.join(folder, file))).find(isProgram) ?? null;
}

/** The path of a program, which is installed if needed; otherwise prints what to do and returns null. */
export function requireProgram(name) {
  try {
    const path = findProgram(name) ?? (install(programs[name].packages) ? findProgram(name) : null);
    if (path) return path;
    console.error(`${programs[name].names[0]} was not found. ${howToInstall(name)}`);
  } catch (error) {
    console.error(error.message);
  }
  return null;
}

export function howToInstall(name) {
  const { packages, variable } = programs[name];
  return `On Debian: apt-get install ${packages[0].join(' ')}.${variable ? ` Or set ${variable} to its path.` : ''}`;
}

/** Installs groups of packages as root on Debian. Only the first group must exist there. */
function install([needed, ...optional]) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const run = (...args) =>
    spawnSync('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  console.log(`Installing ${[needed, ...optional].flat().join(', ')} …`);
  run('update');
  const [isInstalled] = [needed, ...optional].map((names) => run('install', '-y', '--no-install-recommends', ...names));
  return isInstalled.status === 0;
}
