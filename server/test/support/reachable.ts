import type { TestApp } from './test-app';

export async function reachableByMail(testApp: TestApp, { locale = 'zh-CN' } = {}) {
  const user = await testApp.user(100_000);
  const email = `p${user.id}@mail.example`;
  await user.post('user/info', { email });
  await testApp.db.run('insert into notice_settings (user_id, locale, confirmed_email) values ($1, $2, $3)', [
    user.id,
    locale,
    email,
  ]);
  return { user, email };
}
