import { createTexts } from '../i18n';

export const { useTexts: useFormTexts, messageKey: formMessage } = createTexts('forms', {
  phone: {
    required: ['手机号不能为空', 'Please enter your phone number'],
    format: ['手机号格式不正确', 'Check the phone number'],
  },
  password: {
    required: ['密码不能为空', 'Please enter your password'],
    length: ['密码为 {{min}} 至 {{max}} 个字符', 'Use {{min}} to {{max}} characters'],
    show: ['显示密码', 'Show password'],
    hide: ['隐藏密码', 'Hide password'],
  },
  code: {
    label: ['验证码', 'Verification code'],
    placeholder: ['请输入验证码', 'Enter the code'],
    required: ['验证码不能为空', 'Please enter the code'],
    format: ['请输入 {{length}} 位数字验证码', 'Enter the {{length}} digits of the code'],
    send: ['获取验证码', 'Send code'],
    resend: ['重新获取', 'Send again'],
    wait: ['{{seconds}} 秒后重发', 'Resend in {{seconds}} s'],
    sent: ['验证码已发送', 'Code sent'],
    failed: ['验证码没有发出，请重试', 'The code wasn’t sent. Please try again.'],
  },
  proof: {
    by: ['验证方式', 'Confirm with'],
    password: ['登录密码', 'Password'],
    message: ['短信验证码', 'Text message'],
    mail: ['邮箱验证码', 'Email code'],
    mailedTo: ['验证码将发送至邮箱 {{email}}', 'We’ll email a code to {{email}}'],
    sentTo: ['验证码将发送至 {{phone}}', 'We’ll text a code to {{phone}}'],
    wrongPassword: ['密码不正确', 'Wrong password'],
    failed: ['暂时无法验证，请重试。', 'We couldn’t confirm it. Please try again.'],
  },
  email: {
    required: ['邮箱不能为空', 'Please enter your email'],
    format: ['邮箱格式不正确', 'Enter a valid email address'],
  },
  text: {
    required: ['此项不能为空', 'Fill this in'],
    tooLong: ['最多 {{max}} 个字', 'Use at most {{max}} characters'],
  },
  select: {
    placeholder: ['请选择', 'Please choose'],
    required: ['请选择', 'Please choose'],
  },
  failure: {
    network: [
      '网络已断开，没有提交成功。内容已保留，联网后请重试。',
      'You’re offline, so nothing was sent. What you entered is still here; try again when you’re back online.',
    ],
    timeout: [
      '等待超时，请稍后重试，内容已保留',
      'This is taking too long. What you entered is still here; please try again.',
    ],
  },
});
