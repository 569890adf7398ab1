import { MailServer } from '../../test/support/doubles/mail-server';
import type { Sql } from '../platform/db/sql';
import { Settings } from '../platform/settings/settings';
import { type Mail, MailRefusal } from './providers';
import { readProviderSettings, type SmtpSettings } from './settings';
import { SmtpMail } from './smtp-mail';

const noSql = {} as Sql;
const mail: Mail = {
  to: 'ming@mail.example',
  locale: 'zh-CN',
  subject: '订单已发货：原神 创世结晶 ×60，请到订单页面查看，祝您游戏愉快',
  text: '您好：\n订单已发货。\nhttps://shop.example/order/detail/0123456789ABCDEFGHJK',
  messageId: 'notice.17',
  unsubscribe: 'https://shop.example/api/front/notices/stop?token=a.b',
};
const read = (env: NodeJS.ProcessEnv) => {
  const settings = new Settings({ ...env, NODE_ENV: 'production' });
  return { mail: readProviderSettings(settings).mail as SmtpSettings, problems: settings.problems };
};

describe('mail by SMTP', () => {
  const server = new MailServer();
  const sender = (env: NodeJS.ProcessEnv = {}) => new SmtpMail(read({ ...server.env(), ...env }).mail);
  beforeAll(() => server.start());
  afterAll(() => server.close());
  afterEach(() => server.reset());
  const faultOf = (env?: NodeJS.ProcessEnv) =>
    sender(env)
      .send(noSql, mail)
      .catch((error: unknown) => error);

  it('a mail by SMTP arrives whole, with one-click unsubscribe, the same id at each attempt, and no auto-reply requested', async () => {
    await sender().send(noSql, mail);
    await sender().send(noSql, mail);
    expect(server.received).toHaveLength(2);
    for (const received of server.received)
      expect(received).toMatchObject({
        to: [mail.to],
        subject: mail.subject,
        text: mail.text,
        headers: {
          from: 'Star Point <notices@shop.example>',
          to: 'ming@mail.example',
          'message-id': '<notice.17@shop.example>',
          'auto-submitted': 'auto-generated',
          'content-language': 'zh-CN',
          'list-unsubscribe': `<${mail.unsubscribe}>`,
          'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
        },
      });
  });

  it('a mail by SMTP has one recipient and only the shop’s headers, even if address and subject contain others', async () => {
    await sender()
      .send(noSql, { ...mail, subject: 'a\r\nBcc: eve@mail.example' })
      .catch(() => undefined);
    await sender()
      .send(noSql, { ...mail, to: 'a@mail.example, eve@mail.example' })
      .catch(() => undefined);
    for (const { to, headers } of server.received) {
      expect(to).not.toContain('eve@mail.example');
      expect(headers).not.toHaveProperty('bcc');
    }
  });

  it.each([
    ['an unknown recipient', () => (server.recipients = { status: 550, message: 'no such user' }), true],
    ['a recipient who is to be tried later', () => (server.recipients = { status: 451, message: 'greylisted' }), false],
    ['a text that is refused', () => (server.texts = { status: 554, message: 'spam' }), true],
    ['a full queue', () => (server.texts = { status: 452, message: 'try later' }), false],
  ])(
    'a mail by SMTP is not sent to %s, and the error says whether a retry may succeed',
    async (_what, refuse, isFinal) => {
      refuse();
      expect(await faultOf()).toMatchObject({ constructor: MailRefusal, isFinal });
      expect(server.received).toEqual([]);
    },
  );

  it('the error of a refused mail omits the address, which servers repeat', async () => {
    server.recipients = { status: 550, message: `<${mail.to}>: no such user` };
    const { message } = (await faultOf()) as Error;
    expect(message).toContain('no such user');
    expect(message).toContain('mi***@mail.example');
    expect(message).not.toContain(mail.to);
  });

  it('a mail is refused temporarily after a wrong password or without a server', async () => {
    for (const env of [{ MAIL_SMTP_PASSWORD: 'wrong' }, { MAIL_SMTP_URL: 'smtp://127.0.0.1:1' }])
      expect(await faultOf(env)).toMatchObject({ constructor: MailRefusal, isFinal: false });
  });

  it('the outcome of a mail is unknown when the server received the text and did not respond', async () => {
    server.losesAnswers = true;
    const fault = await faultOf();
    expect(fault).toBeInstanceOf(Error);
    expect(fault).not.toBeInstanceOf(MailRefusal);
    expect(server.received).toHaveLength(1);
  });
});

describe('mail settings', () => {
  const whole = {
    MAIL: 'smtp',
    MAIL_SMTP_URL: 'smtps://smtp.example',
    MAIL_SMTP_USER: 'u',
    MAIL_SMTP_PASSWORD: 'p',
    MAIL_FROM: 'Shop <notices@shop.example>',
    PUBLIC_URL: 'https://shop.example',
  };

  it('mail is encrypted except on this machine', () => {
    const of = (url: string) => {
      const { host, port, tls } = read({ ...whole, MAIL_SMTP_URL: url }).mail;
      return [host, port, tls];
    };
    expect(of('smtps://smtp.example')).toEqual(['smtp.example', 465, 'at-once']);
    expect(of('smtp://smtp.example')).toEqual(['smtp.example', 587, 'started']);
    expect(of('smtp://localhost:1025')).toEqual(['localhost', 1025, 'none']);
    expect(read(whole)).toMatchObject({
      problems: [],
      mail: { from: { name: 'Shop', address: 'notices@shop.example' }, user: 'u', password: 'p' },
    });
  });

  it.each([
    ['MAIL_SMTP_URL', 'https://smtp.example'],
    ['MAIL_SMTP_URL', 'smtp://user:secret@smtp.example'],
    ['MAIL_FROM', 'Shop'],
    ['MAIL_FROM', 'Shop <a@b.example>, c@d.example'],
  ])('mail settings refuse %s=%s', (name, value) => {
    expect(read({ ...whole, [name]: value }).problems).toEqual([
      expect.stringMatching(new RegExp(`^${name} must be `)),
    ]);
  });
});
