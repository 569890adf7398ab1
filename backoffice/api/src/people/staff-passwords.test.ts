import { checkStaffPassword } from './staff-passwords';

const check = (password: string) => checkStaffPassword(password, '李雷 Lee');

describe('staff passwords', () => {
  it.each([
    ['password1234', 'a common one with figures'],
    ['aaaaaaaaaaaaaaaa', 'one letter'],
    ['李雷lee kelp orbit wagon', 'the own name'],
    ['LI-LEI kelp 李雷Lee wagon', 'the own name in other letters'],
    ['Stardot kelp orbit 94', 'the shop’s name'],
    ['星点 kelp orbit 94', 'the shop’s name in Chinese'],
    ['kelp-orbit1', 'eleven characters'],
    ['kelp-orbit-94-wagon'.repeat(4), 'more than 64 characters'],
  ])('a staff password is not %s: %s', async (password) => {
    await expect(check(password)).rejects.toMatchObject({ code: 46003 });
  });

  it.each(['kelp-orbit-94-wagon', 'correct horse battery', 'KX7Q2M4T9WPA', '紫色的大象在月亮上跳舞唱歌'])(
    'a staff password may be %s',
    async (password) => {
      await expect(check(password)).resolves.toBeUndefined();
    },
  );
});
