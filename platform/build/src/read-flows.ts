import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { GateFlow } from '@platform/releases';

/** Returns undefined without such files. Rejects for a file without a default export. */
export function readFlows(directory: string): GateFlow[] | undefined {
  const folder = path.join(directory, 'gate');
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((file) => /(?<!\.test|\.d)\.ts$/.test(file));
  const flows = files.sort().flatMap((file) => {
    const exported = (require(path.join(folder, file)) as { default?: unknown }).default;
    if (!Array.isArray(exported)) throw new Error(`${path.join(folder, file)} must export a list of flows by default`);
    return exported as GateFlow[];
  });
  return JSON.parse(JSON.stringify(flows)) as GateFlow[];
}
