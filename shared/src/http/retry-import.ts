/** Runs `load` again after a failure, twice, after `waitMs` and 2 × `waitMs`; the bundler's runtime forgets a chunk that failed. */
export async function retryImport<T>(load: () => Promise<T>, waitMs = 500): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    return load().catch(() => new Promise((resolve) => setTimeout(resolve, 2 * waitMs)).then(load));
  }
}
