import type { TestApp } from './test-app';

/** A user whose profile has a confirmed address. */
export async function reachableByMail(testApp: TestApp, options: { locale?: string; balance?: number } = {}) {
  const { locale = 'zh-CN', balance = 100_000 } = options;
  const user = await testApp.user(balance);
  const email = `p${user.id}@mail.example`;
  await user.post('user/info', { email });
  await testApp.db.run('insert into notice_settings (user_id, locale, confirmed_email) values ($1, $2, $3)', [
    user.id,
    locale,
    email,
  ]);
  return { user, email };
}
