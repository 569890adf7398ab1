/**
 * A separate process for the crash tests: `promote-process.ts <store> <name> <version> <build>`. With DIE_AT=n it
 * kills itself, like `kill -9`, at its n-th step on the file system or on the bucket.
 */
import fs from 'node:fs/promises';

const dieAt = Number(process.env.DIE_AT ?? 0);
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === dieAt) process.kill(process.pid, 'SIGKILL');
}

/** Counts before and after each call, so that a kill can hit every state between two calls. */
function counted<T extends object>(target: T, names: Array<keyof T>): void {
  for (const name of names) {
    const original = target[name] as unknown as (...args: unknown[]) => Promise<unknown>;
    (target as Record<keyof T, unknown>)[name] = async function (this: unknown, ...args: unknown[]) {
      step();
      const result = await original.apply(this, args);
      step();
      return result;
    };
  }
}

async function main(): Promise<void> {
  const [place = '', name = '', version = '', dist = ''] = process.argv.slice(2);
  const { openStore, promote, publish } = await import('@platform/releases');
  const store = openStore({ place });
  if (dieAt > 0 && store.blobs.place.startsWith('s3:')) {
    const { S3Client } = await import('@aws-sdk/client-s3');
    counted(S3Client.prototype, ['send']);
  } else if (dieAt > 0) {
    const handle = await fs.open(__filename);
    counted(Object.getPrototypeOf(handle) as typeof handle, ['sync']);
    await handle.close();
    counted(fs, ['writeFile', 'link', 'rename', 'mkdir', 'unlink', 'rm']);
  }
  await publish(store, { dist, by: 'process' });
  await promote(store, { name, version, by: `process ${process.pid}` });
  console.log(steps);
  process.exit(0);
}

main().catch((error: Error) => {
  console.error(error.name, error.message);
  process.exit(1);
});
