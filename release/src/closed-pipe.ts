/**
 * For `npm run release -- history | head -1`: output that nobody reads any more is dropped, and the command goes on to its end and
 * its own exit code, because half a change would be worse than a lost line.
 */
export function allowClosedPipe(streams: NodeJS.WritableStream[] = [process.stdout, process.stderr]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
