import net from 'node:net';
import { setImmediate as afterPoll } from 'node:timers/promises';

/**
 * Stops listening; accepted connections continue. Connections that wait at the port at that moment are reset, and a proxy does
 * not repeat a POST. Therefore the port is closed immediately after the event loop has accepted the waiting connections, and not
 * in a timer or in a hook of close(), before which connections may have arrived for as long as the loop was busy.
 */
export async function closePort(server: net.Server): Promise<void> {
  await afterPoll();
  net.Server.prototype.close.call(server);
}
