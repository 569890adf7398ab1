/** Rejects with `fault` when the work takes longer. The work itself continues. */
export function withinTime<T>(work: Promise<T>, milliseconds: number, fault: Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(reject, milliseconds, fault);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
