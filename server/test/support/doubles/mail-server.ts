import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  to: string[];
  headers: Record<string, string>;
  subject: string;
  text: string;
}
interface Refusal {
  status: number;
  message: string;
}

export class MailServer {
  readonly user = 'notices@shop.example';
  readonly password = 'app-password';
  readonly received: ReceivedMail[] = [];
  recipients?: Refusal;
  texts?: Refusal;
  losesAnswers = false;

  private readonly server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) => {
      if (username === this.user && password === this.password) return done(null, { user: username });
      return done(faultOf({ status: 535, message: 'Authentication failed' }));
    },
    onRcptTo: (_address, _session, done) => done(this.recipients && faultOf(this.recipients)),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => {
        if (this.texts) return done(faultOf(this.texts));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        this.received.push(readMail(to, Buffer.concat(chunks).toString('utf8')));
        if (this.losesAnswers) return this.cut();
        done();
      });
    },
  });
  private cut(): void {
    for (const connection of this.server.connections)
      (connection as unknown as { _socket: { destroy(): void } })._socket.destroy();
  }

  env(): Record<string, string> {
    return {
      MAIL: 'smtp',
      MAIL_SMTP_URL: `smtp://127.0.0.1:${this.port}`,
      MAIL_SMTP_USER: this.user,
      MAIL_SMTP_PASSWORD: this.password,
      MAIL_FROM: 'Star Point <notices@shop.example>',
      PUBLIC_URL: 'https://shop.example',
    };
  }
  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }
  async start(): Promise<this> {
    this.server.on('error', () => undefined);
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }
  reset(): void {
    Object.assign(this, { recipients: undefined, texts: undefined, losesAnswers: false });
    this.received.length = 0;
  }
  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}

const faultOf = ({ status, message }: Refusal) => Object.assign(new Error(message), { responseCode: status });

function readMail(to: string[], source: string): ReceivedMail {
  const end = source.indexOf('\r\n\r\n');
  const headers: Record<string, string> = {};
  for (const line of source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const body = source.slice(end + 4);
  const encoding = headers['content-transfer-encoding'];
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? quotedPrintable(body.replace(/=\r\n/g, ''))
        : body;
  return { to, headers, subject: words(headers.subject ?? ''), text: text.replaceAll('\r\n', '\n').trim() };
}
const quotedPrintable = (text: string) =>
  Buffer.from(
    text.replace(/=([\dA-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
/** Encoded words of RFC 2047; white space between two of them is ignored. */
const words = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, value: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(value, 'base64').toString('utf8')
        : quotedPrintable(value.replaceAll('_', ' ')),
    );
