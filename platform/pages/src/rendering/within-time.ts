/** Resolves to undefined when the work takes longer. The work itself continues. */
export async function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
