/** @jest-environment node */
import { formTexts } from './texts';

it('words the default messages of docs/product.md', () => {
  const { en, 'zh-CN': zh } = formTexts;
  expect(en.phone.required).toBe('Phone must not be empty');
  expect(en.password.required).toBe('Password must not be empty');
  expect(en.code.required).toBe('Verification code must not be empty');
  expect(en.name.required).toBe('Please fill in the name');
  expect(en.phone.format).toBe('Malformed phone number');
  expect(en.area.required).toContain('receiving area');
  expect(en.address.required).toBe('Address cannot be empty');
  expect(en.date.range).toBe('Choose no more than {{count}} days');
  expect(zh.phone.required).toBe('手机号不能为空');
  expect(zh.password.required).toBe('密码不能为空');
  expect(zh.code.required).toBe('验证码不能为空');
});
