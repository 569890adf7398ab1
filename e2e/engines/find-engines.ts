/** Which programs an engine needs, the browser or its driver first. */
import { findProgram, howToInstall } from '../../scripts/setup/programs.mjs';

export const engines = { firefox: ['firefox'], webkit: ['webkitDriver', 'xvfb'] } as const;

/** The path of Firefox, or of WebKitGTK's driver. Throws where something is missing, and says how to get it. */
export function findEngine(name: keyof typeof engines): string {
  const paths = engines[name].map((program) => {
    const path = findProgram(program);
    if (!path) throw new Error(`${name}: ${program} was not found. ${howToInstall(program)}`);
    return path;
  });
  return paths[0] as string;
}
