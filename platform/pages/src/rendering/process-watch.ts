import { readFileSync } from 'node:fs';

/** The unit of times in Linux's /proc. */
const TICK_MS = 10;

export interface WatchedProcess {
  usedMs: number;
  /** Whether its main thread waits, so that more processor time would not help. */
  isWaiting: boolean;
  residentBytes: number;
}

/** Reads the innermost process below this one, because the wrappers are around it. Returns undefined when it is unknown. */
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
