import { Type } from 'typebox';
import type { DomainRoutes } from '../../context';
import { escapeHtml, htmlPage } from '../../platform/http/html';

const withLinks = (text: string) =>
  escapeHtml(text).replace(/^(?:https?:\/\/\S+|\/\S+)$/gm, (address) => `<a href="${address}">${address}</a>`);

/** The development outbox: codes and mails that a provider would have sent. Not registered in production. */
export const outboxRoutes: DomainRoutes = async (app, { reads }) => {
  const codes = (phone?: string) =>
    reads.rows<{ phone: string; code: string; at: Date }>(
      'select phone, code, at from dev_outbox where ($1::text is null or phone = $1) order by id desc limit 50',
      [phone ?? null],
    );
  const schema = { querystring: Type.Object({ phone: Type.Optional(Type.String({ maxLength: 20 })) }) };

  app.get('/dev/outbox.json', { schema }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return codes(request.query.phone);
  });
  app.get('/dev/outbox', { schema }, async (request, reply) => {
    const rows = (await codes(request.query.phone))
      .map(
        (row) =>
          `<tr><td>${escapeHtml(row.phone)}</td><td><strong>${escapeHtml(row.code)}</strong></td><td>${row.at.toISOString()}</td></tr>`,
      )
      .join('');
    const body = `<h1>Outbox</h1><p>验证码 · Verification codes that a text message would carry. Newest first; reload to see more.</p>
<table><thead><tr><th>Phone</th><th>Code</th><th>At</th></tr></thead><tbody>${rows || '<tr><td colspan="3">—</td></tr>'}</tbody></table>`;
    return htmlPage(reply, { lang: 'en', title: 'Outbox', body });
  });

  const mails = (to?: string) =>
    reads.rows<{ recipient: string; subject: string; text: string; unsubscribe: string; at: Date }>(
      `select recipient, subject, text, unsubscribe, at from dev_mails
        where ($1::text is null or recipient = $1) order by id desc limit 50`,
      [to ?? null],
    );
  const ofMails = { querystring: Type.Object({ to: Type.Optional(Type.String({ maxLength: 254 })) }) };
  app.get('/dev/mails.json', { schema: ofMails }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return mails(request.query.to);
  });
  app.get('/dev/mails', { schema: ofMails }, async (request, reply) => {
    const sent = (await mails(request.query.to))
      .map(
        (mail) =>
          `<details class="card" open><summary><strong>${escapeHtml(mail.subject)}</strong> — ${escapeHtml(
            mail.recipient,
          )}, ${mail.at.toISOString()}</summary><pre>${withLinks(mail.text)}</pre></details>`,
      )
      .join('');
    const body = `<h1>Mails</h1><p>邮件 · Mails that the shop would send. Newest first; reload to see more.</p>${sent || '<p>—</p>'}`;
    return htmlPage(reply, { lang: 'en', title: 'Mails', body });
  });
};
