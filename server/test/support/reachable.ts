import type { TestApp } from './test-app';

/** A person whose profile has an address that is confirmed. */
export async function reachableByMail(testApp: TestApp, options: { locale?: string; balance?: number } = {}) {
  const { locale = 'zh-CN', balance = 100_000 } = options;
  const person = await testApp.person(balance);
  const email = `p${person.id}@mail.example`;
  await person.post('user/info', { email });
  await testApp.db.run('insert into notice_settings (user_id, locale, confirmed_email) values ($1, $2, $3)', [
    person.id,
    locale,
    email,
  ]);
  return { person, email };
}
