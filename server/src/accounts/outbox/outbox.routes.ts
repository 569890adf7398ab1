import { Type } from 'typebox';
import type { DomainRoutes } from '../../context';
import { escapeHtml, htmlPage } from '../../platform/http/html';

const withLinks = (text: string) =>
  escapeHtml(text).replace(/^(?:https?:\/\/\S+|\/\S+)$/gm, (address) => `<a href="${address}">${address}</a>`);

const AddressSchema = Type.Optional(Type.String({ maxLength: 254 }));
const schema = { querystring: Type.Object({ phone: AddressSchema, to: AddressSchema }) };

interface Box<Row> {
  name: string;
  title: string;
  about: string;
  /** SQL whose parameter is an address, or null for all. */
  rows: string;
  card(row: Row): string;
}

/** The development outbox: codes and mails that a provider would have sent. Not registered in production. */
export const outboxRoutes: DomainRoutes = async (app, { reads }) => {
  const serve = <Row extends { at: Date }>({ name, title, about, rows, card }: Box<Row>) => {
    const find = ({ phone, to }: { phone?: string; to?: string }) => reads.rows<Row>(rows, [phone ?? to ?? null]);
    app.get(`/dev/${name}.json`, { schema }, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return find(request.query);
    });
    app.get(`/dev/${name}`, { schema }, async (request, reply) => {
      const cards = (await find(request.query)).map(
        (row) => `<section class="card"><p>${row.at.toISOString()}</p>${card(row)}</section>`,
      );
      const body = `<h1>${title}</h1><p>${about} Newest first; reload to see more.</p>${cards.join('') || '<p>—</p>'}`;
      return htmlPage(reply, { lang: 'en', title, body });
    });
  };

  serve<{ phone: string; code: string; at: Date }>({
    name: 'outbox',
    title: 'Outbox',
    about: '验证码 · Verification codes that a text message would carry.',
    rows: 'select phone, code, at from dev_outbox where ($1::text is null or phone = $1) order by id desc limit 50',
    card: ({ phone, code }) => `<p>${escapeHtml(phone)}</p><strong>${escapeHtml(code)}</strong>`,
  });
  serve<{ recipient: string; subject: string; text: string; unsubscribe: string; at: Date }>({
    name: 'mails',
    title: 'Mails',
    about: '邮件 · Mails that the shop would send.',
    rows: `select recipient, subject, text, unsubscribe, at from dev_mails
            where ($1::text is null or recipient = $1) order by id desc limit 50`,
    card: ({ recipient, subject, text }) =>
      `<p>${escapeHtml(recipient)}</p><strong>${escapeHtml(subject)}</strong><pre>${withLinks(text)}</pre>`,
  });
};
