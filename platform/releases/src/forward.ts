import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';

/** Node trusts other certificate authorities through NODE_EXTRA_CA_CERTS. */
export function requestTo(target: URL, options: http.RequestOptions, onAnswer: (answer: IncomingMessage) => void) {
  return (target.protocol === 'https:' ? https : http).request(target, options, onAnswer);
}

/**
 * Passes a request of a site on this machine on to a running one, which must not take the caller for a local process: a page of a
 * release sent it. `onFailure` answers when that does not.
 */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  against: URL,
  onFailure: (error: Error) => void,
): void {
  const { referer: _referer, forwarded: _forwarded, origin, ...headers } = request.headers;
  const onward = requestTo(
    against,
    {
      // As it was asked for: resolved against the running site, '//elsewhere.example/x' would leave it.
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
      // This site is not on https, so what the running site demands of its own origin cannot hold here.
      const { 'strict-transport-security': _hsts, ...answered } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, answered);
      answer.pipe(response);
    },
  );
  onward.on('error', (error) => {
    if (response.headersSent) response.end();
    else onFailure(error);
  });
  // A page that is closed takes no answer any more.
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}
