import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';

/**
 * Forwards a request from a site on this machine to a running site. The running site must not take the caller for a local
 * process, because a page of a release sent the request. `onFailure` answers when the running site does not.
 */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  against: URL,
  onFailure: (error: Error) => void,
): void {
  const { referer: _referer, forwarded: _forwarded, origin, ...headers } = request.headers;
  const onward = (against.protocol === 'https:' ? https : http).request(
    against,
    {
      // The path must stay as requested: resolved against the running site, '//elsewhere.example/x' would leave it.
      path: request.url,
      method: request.method,
      headers: {
        ...headers,
        host: against.host,
        'x-forwarded-for': request.socket.remoteAddress,
        ...(origin && { origin: against.origin }),
      },
    },
    (answer) => {
      // This site does not use https, so HSTS of the running site must not apply to it.
      const { 'strict-transport-security': _hsts, ...answered } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, answered);
      answer.pipe(response);
    },
  );
  onward.on('error', (error) => {
    if (response.headersSent) response.end();
    else onFailure(error);
  });
  // A closed page no longer reads the answer.
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}
