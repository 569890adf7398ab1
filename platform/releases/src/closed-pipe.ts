/**
 * For a command whose output is cut, as by `| head -1`. The command drops the output and continues to its end and its own exit
 * code, because a half-finished change would be worse than a lost line.
 */
export function allowClosedPipe(streams: NodeJS.WritableStream[] = [process.stdout, process.stderr]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
