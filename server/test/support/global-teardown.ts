export default async function globalTeardown(): Promise<void> {
  await (globalThis as { shopTestPostgres?: { stop(): Promise<void> } }).shopTestPostgres?.stop();
}
