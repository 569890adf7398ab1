import type { Transporter } from 'nodemailer';
import type { Sql } from '../platform/db/sql';
import { maskEmail } from '../platform/http/mask-phone';
import { lazy } from './lazy';
import { type Mail, MailRefusal, type MailSender } from './providers';
import type { SmtpSettings } from './settings';

const TIMEOUT_MS = 15_000;

interface SmtpFault {
  message: string;
  code?: string;
  responseCode?: number;
  syscall?: string;
}
/** Faults before a text is handed over, and a text that the server refuses. A connection that breaks (ECONNECTION) may have done either. */
const notSent = ['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EENVELOPE', 'EMESSAGE'];

/** Servers repeat the address that they refuse; the log has none. */
const withoutAddresses = (text: string) => text.replace(/[^\s<>@]+@[^\s<>@]+/g, maskEmail);

/** Mail by any SMTP server. One connection a mail: a process that stops leaves none open. */
export class SmtpMail implements MailSender {
  readonly name = 'smtp';
  private readonly transport = lazy((): Transporter => {
    const { createTransport } = require('nodemailer') as typeof import('nodemailer');
    const { host, port, tls, user, password } = this.settings;
    return createTransport({
      host,
      port,
      secure: tls === 'at-once',
      requireTLS: tls === 'started',
      ignoreTLS: tls === 'none',
      auth: user ? { user, pass: password } : undefined,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // A text of the shop never names a file or an address to read from.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  });

  constructor(private readonly settings: SmtpSettings) {}

  async send(_sql: Sql, { to, subject, text, locale, messageId, unsubscribe }: Mail): Promise<void> {
    const { name, address } = this.settings.from;
    try {
      await this.transport().sendMail({
        from: { name, address },
        // An object: a comma in it makes no second recipient.
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${messageId}@${address.split('@')[1]}>`,
        headers: {
          // RFC 3834: no answering machine answers.
          'Auto-Submitted': 'auto-generated',
          'Content-Language': locale,
          // RFC 8058: one press in the reader's own mail program.
          ...(unsubscribe
            ? { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
            : {}),
        },
      });
    } catch (error) {
      const { message: said, code = '', responseCode = 0, syscall } = error as SmtpFault;
      const message = withoutAddresses(said);
      // The answer to a sign-in says nothing about the mail.
      const isFinal = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
      if (notSent.includes(code) || syscall === 'connect') throw new MailRefusal(message, isFinal);
      throw new Error(`the SMTP server did not answer: ${message}`);
    }
  }
}
