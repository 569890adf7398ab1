import net from 'node:net';
import { setImmediate as afterPoll } from 'node:timers/promises';

/**
 * Listens no longer; connections that were taken go on. What waits at the port at that moment is reset, and a proxy does not repeat a
 * POST. So it is closed right after the event loop has taken what waits, and not in a timer or in a hook of close(), before which
 * connections may have come for as long as the loop was busy.
 */
export async function closePort(server: net.Server): Promise<void> {
  await afterPoll();
  net.Server.prototype.close.call(server);
}
