import { Type } from 'typebox';
import type { DomainRoutes } from '../../context';
import { escapeHtml, htmlPage } from '../../platform/http/html';

interface Letter {
  phone: string;
  code: string;
  at: Date;
}

/** The development outbox: codes that an SMS provider would have sent. Not registered in production. */
export const outboxRoutes: DomainRoutes = async (app, { reads }) => {
  const letters = (phone?: string) =>
    phone
      ? reads.rows<Letter>('select phone, code, at from dev_outbox where phone = $1 order by id desc limit 50', [phone])
      : reads.rows<Letter>('select phone, code, at from dev_outbox order by id desc limit 50');
  const schema = { querystring: Type.Object({ phone: Type.Optional(Type.String({ maxLength: 20 })) }) };

  app.get('/dev/outbox.json', { schema }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return letters(request.query.phone);
  });
  app.get('/dev/outbox', { schema }, async (request, reply) => {
    const rows = (await letters(request.query.phone))
      .map(
        (one) =>
          `<tr><td>${escapeHtml(one.phone)}</td><td><strong>${escapeHtml(one.code)}</strong></td><td>${one.at.toISOString()}</td></tr>`,
      )
      .join('');
    const body = `<h1>Outbox</h1><p>验证码 · Verification codes that a text message would carry. Newest first; reload to see more.</p>
<table><thead><tr><th>Phone</th><th>Code</th><th>At</th></tr></thead><tbody>${rows || '<tr><td colspan="3">—</td></tr>'}</tbody></table>`;
    return htmlPage(reply, { lang: 'en', title: 'Outbox', body });
  });
};
