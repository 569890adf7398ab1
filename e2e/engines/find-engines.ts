/** Where the browsers are, and how to get those that are not there. */
import path from 'node:path';
import { runs } from '../../scripts/setup/debian.mjs';

export const engines = {
  firefox: {
    variable: 'FIREFOX_PATH',
    programs: ['firefox-esr', 'firefox'],
    needs: [] as string[],
    packages: 'firefox-esr',
  },
  webkit: {
    variable: 'WEBKIT_DRIVER_PATH',
    programs: ['WebKitWebDriver'],
    needs: ['Xvfb'],
    packages: 'webkit2gtk-driver xvfb',
  },
};

/** The path of Firefox, or of WebKitGTK's driver. Throws where something is missing, and says how to get it. */
export function findEngine(name: keyof typeof engines, env = process.env): string {
  const { variable, programs, needs, packages } = engines[name];
  const find = (program: string) =>
    (env.PATH ?? '')
      .split(path.delimiter)
      .map((folder) => path.join(folder, program))
      .find(runs);
  const chosen = env[variable];
  if (chosen && !runs(chosen)) throw new Error(`${variable} names ${chosen}, which is not a program.`);
  const found = chosen || programs.map(find).find(Boolean);
  const missing = needs.filter((program) => !find(program));
  if (found && missing.length === 0) return found;
  const names = [...(found ? [] : [programs.join(' or ')]), ...missing].join(', ');
  throw new Error(
    `${name}: ${names} not found. On Debian: apt-get install ${packages} fonts-noto-cjk. Or set ${variable}.`,
  );
}
