import { readFileSync } from 'node:fs';

/** Of Linux's list of processes. */
const TICK_MS = 10;

export interface WatchedProcess {
  /** Processor time so far, of all threads. */
  usedMs: number;
  /** Its main thread waits for something, so that it would use no processor either. */
  isWaiting: boolean;
  residentBytes: number;
}

/** Of the innermost process below this one, since what sets limits around it stays outside. Undefined where it is not known. */
export function watchProcess(id: number): WatchedProcess | undefined {
  try {
    const inner = innermost(id);
    const [, rest = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${inner}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    const [, kilobytes] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${inner}/status`, 'utf8')) ?? [];
    return {
      usedMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      isWaiting: fields[0] === 'S',
      residentBytes: Number(kilobytes ?? 0) * 1024,
    };
  } catch {
    return undefined;
  }
}

function innermost(id: number): number {
  const [child] = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').split(' ');
  return child ? innermost(Number(child)) : id;
}
