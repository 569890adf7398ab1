import { maskEmail } from '@shop/shared/domain/mask-phone';
import type { Transporter } from 'nodemailer';
import type { Sql } from '../platform/db/sql';
import { lazy } from './lazy';
import { type Mail, MailRefusal, type MailSender } from './providers';
import type { SmtpSettings } from './settings';

const TIMEOUT_MS = 15_000;

/**
 * Errors before a text is handed over, or for a text that the server refuses. After a broken connection (ECONNECTION) the outcome
 * is unknown.
 */
const notSent = ['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EENVELOPE', 'EMESSAGE'];

/** Servers repeat the address that they refuse, and it must not be in the log. */
const withoutAddresses = (text: string) => text.replace(/[^\s<>@]+@[^\s<>@]+/g, maskEmail);

/** Sends mail by any SMTP server. Each mail has its own connection, so a process that stops leaves none open. */
export class SmtpMail implements MailSender {
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
      // A text of the shop never names a file or a URL to read from.
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
        // An object, so that a comma in it does not add a second recipient.
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${messageId}@${address.split('@')[1]}>`,
        headers: {
          // RFC 3834: suppresses auto-replies.
          'Auto-Submitted': 'auto-generated',
          'Content-Language': locale,
          // RFC 8058: one click in the reader's own mail program.
          ...(unsubscribe
            ? { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
            : {}),
        },
      });
    } catch (error) {
      const fault = error as Error & { code?: string; responseCode?: number; syscall?: string };
      const { code = '', responseCode = 0, syscall } = fault;
      const message = withoutAddresses(fault.message);
      // The response to a sign-in is not about the mail.
      const isFinal = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
      if (notSent.includes(code) || syscall === 'connect') throw new MailRefusal(message, isFinal);
      throw new Error(`the SMTP server did not answer: ${message}`);
    }
  }
}
