import { handlers } from './envelope';

/**
 * Runs `load` again after a failure, twice, after `waitMs` and 2 × `waitMs`; the bundler's runtime forgets a chunk that failed.
 * Never settles if the document is reloaded instead, because its release is no longer there.
 */
export async function retryImport<T>(load: () => Promise<T>, waitMs = 500): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    try {
      return await load().catch(() => new Promise((resolve) => setTimeout(resolve, 2 * waitMs)).then(load));
    } catch (error) {
      if (await handlers.onCodeLost?.()) return new Promise(() => {});
      throw error;
    }
  }
}
