import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../../../../scripts/jest/until';
import { watchProcess } from './process-watch';

const onlyOnLinux = process.platform === 'linux' ? it : it.skip;

onlyOnLinux(
  'watchProcess distinguishes a process that uses the processor from one that waits, also inside a wrapper',
  async () => {
    const script = `
    const until = performance.now() + 60_000;
    const used = () => process.cpuUsage().user / 1000;
    while (used() < 300 && performance.now() < until);
    process.stdout.write('used');
    process.stdin.resume();`;
    const child = spawn('sh', ['-c', '"$0" -e "$1"; true', process.execPath, script], { stdio: 'pipe' });
    try {
      expect(watchProcess(child.pid ?? 0)?.usedMs).toBeLessThan(300);
      await once(child.stdout, 'data');
      expect(watchProcess(child.pid ?? 0)?.usedMs).toBeGreaterThanOrEqual(250);
      await until('the process to wait', () => watchProcess(child.pid ?? 0)?.isWaiting);
    } finally {
      child.stdin.end();
      await once(child, 'close');
    }
    expect(watchProcess(child.pid ?? 0)).toBeUndefined();
  },
);
