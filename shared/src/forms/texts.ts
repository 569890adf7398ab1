import { createTexts, pairs } from '../i18n';

export const formTexts = pairs({
  phone: {
    label: ['手机号', 'Phone number'],
    placeholder: ['请输入手机号', 'Enter your phone number'],
    required: ['手机号不能为空', 'Phone must not be empty'],
    format: ['手机号格式不正确', 'Malformed phone number'],
  },
  password: {
    label: ['密码', 'Password'],
    placeholder: ['请输入密码', 'Enter your password'],
    required: ['密码不能为空', 'Password must not be empty'],
    length: ['密码为 {{min}} 至 {{max}} 个字符', 'Use {{min}} to {{max}} characters'],
    mismatch: ['两次输入的密码不一致', 'The passwords do not match'],
    show: ['显示密码', 'Show password'],
    hide: ['隐藏密码', 'Hide password'],
  },
  code: {
    label: ['验证码', 'Verification code'],
    placeholder: ['请输入验证码', 'Enter the code'],
    required: ['验证码不能为空', 'Verification code must not be empty'],
    format: ['请输入 {{length}} 位数字验证码', 'Enter the {{length}} digits of the code'],
    send: ['获取验证码', 'Send code'],
    resend: ['重新获取', 'Send again'],
    wait: ['{{seconds}} 秒后重发', 'Resend in {{seconds}} s'],
    sent: ['验证码已发送', 'Code sent'],
  },
  proof: {
    by: ['验证方式', 'Confirm with'],
    password: ['登录密码', 'Password'],
    message: ['短信验证码', 'Text message'],
    sentTo: ['验证码将发送至 {{phone}}', 'We will send a code to {{phone}}'],
    wrongPassword: ['密码不正确', 'The password is wrong'],
    tooMany: ['尝试次数过多，请稍后再试。', 'Too many tries. Please wait a while.'],
    failed: ['暂时无法验证，请重试。', 'This could not be confirmed. Please try again.'],
  },
  name: {
    required: ['请填写姓名', 'Please fill in the name'],
  },
  area: {
    required: ['请选择地区', 'Please select the receiving area'],
  },
  address: {
    required: ['地址不能为空', 'Address cannot be empty'],
  },
  email: {
    format: ['邮箱格式不正确', 'Enter a valid email address'],
  },
  number: {
    format: ['请输入数字', 'Enter a number'],
    min: ['不能小于 {{min}}', 'Not less than {{min}}'],
    max: ['不能大于 {{max}}', 'Not more than {{max}}'],
  },
  date: {
    range: ['选择天数不能超过 {{count}} 天', 'Choose no more than {{count}} days'],
  },
  text: {
    required: ['此项不能为空', 'This must not be empty'],
    tooShort: ['至少 {{min}} 个字', 'Use at least {{min}} characters'],
    tooLong: ['最多 {{max}} 个字', 'Use at most {{max}} characters'],
  },
  select: {
    placeholder: ['请选择', 'Please choose'],
    required: ['请选择', 'Please choose'],
  },
  agree: {
    required: ['请先阅读并同意协议', 'Please read and accept the agreement first'],
  },
  count: ['已输入 {{count}} 字，最多 {{max}} 字', '{{count}} of {{max}} characters'],
  optional: ['选填', 'Optional'],
  submit: ['提交', 'Submit'],
  failure: {
    network: [
      '网络已断开，没有提交成功。内容已保留，联网后请重试。',
      'You are offline, so nothing was sent. Your entries are kept; try again when you are back online.',
    ],
    timeout: [
      '等了 30 秒没有收到回应。内容已保留，请稍后重试。',
      'No answer came within 30 seconds. Your entries are kept; please try again.',
    ],
  },
});

/** `formMessage` is the message of a yup schema: a key of these texts. */
export const { useTexts: useFormTexts, messageKey: formMessage } = createTexts('forms', formTexts);
