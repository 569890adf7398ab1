/** Asks for a part's code again after a failure, twice; the bundler's runtime forgets a chunk that failed. */
export async function arriving<T>(load: () => Promise<T>, waitMs = 500): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    return load().catch(() => new Promise((resolve) => setTimeout(resolve, 2 * waitMs)).then(load));
  }
}
