import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiError } from '../http';
import { changeLanguage } from '../i18n';
import { startResendWait } from './code-field';
import {
  CodeField,
  type CodeFieldProps,
  Form,
  FormError,
  NumberField,
  object,
  PasswordField,
  SubmitButton,
  string,
  TextField,
} from './index';

const schema = object({
  phone: string()
    .required('phone.required')
    .matches(/^1\d{10}$/, 'phone.format'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: yup fills it in
  password: string().required('password.required').min(6, 'password.length?min=${min}&max=32'),
});
const initialValues = { phone: '', password: '' };
const refusal = (code: number, message: string, errors?: Record<string, string>) =>
  new ApiError({ kind: 'business', code, status: 200, message, data: { errors } });

function Login({ onSubmit = () => {} }: { onSubmit?: (values: typeof initialValues) => unknown }) {
  return (
    <Form initialValues={initialValues} schema={schema} onSubmit={onSubmit}>
      <TextField name="phone" label="手机号" />
      <PasswordField name="password" label="密码" hint="6 位以上" />
      <FormError />
      <SubmitButton>登录</SubmitButton>
    </Form>
  );
}

describe('Form', () => {
  it('shows each error beside its field, connects it to the field and scrolls the first to the middle of the screen', async () => {
    const onSubmit = jest.fn();
    const scrollIntoView = jest.fn();
    Element.prototype.scrollIntoView = scrollIntoView;
    render(<Login onSubmit={onSubmit} />);
    await userEvent.click(screen.getByRole('button', { name: '登录' }));
    const phone = screen.getByLabelText('手机号');
    expect(phone).toBeInvalid();
    expect(phone).toHaveAccessibleDescription('手机号不能为空');
    expect(screen.getByText('手机号不能为空').closest('[aria-live="polite"]')).toBeInTheDocument();
    expect(screen.getByLabelText('密码')).toHaveAccessibleDescription('密码不能为空');
    await waitFor(() => expect(phone).toHaveFocus());
    expect(scrollIntoView.mock.contexts).toEqual([phone]);
    expect(scrollIntoView).toHaveBeenCalledWith({ block: 'center', behavior: 'smooth' });
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it('shows no error before blur, then shows it in the chosen language', async () => {
    render(<Login />);
    await userEvent.type(screen.getByLabelText('密码'), 'abc');
    expect(screen.getByLabelText('密码')).toBeValid();
    expect(screen.getByLabelText('密码')).toHaveAccessibleDescription('6 位以上');
    await userEvent.tab();
    expect(screen.getByLabelText('密码')).toHaveAccessibleDescription('密码为 6 至 32 个字符');
    await act(() => changeLanguage('en'));
    expect(screen.getByLabelText('密码')).toHaveAccessibleDescription('Use 6 to 32 characters');
    await act(() => changeLanguage('zh-CN'));
  });

  it('shows the messages of code 40001 at their fields until these change', async () => {
    const refused = refusal(40001, 'bad', { phone: '该手机号已停用: 请联系客服' });
    render(<Login onSubmit={() => Promise.reject(refused)} />);
    await userEvent.type(screen.getByLabelText('手机号'), '13800000000');
    await userEvent.type(screen.getByLabelText('密码'), 'secret1');
    await userEvent.click(screen.getByRole('button', { name: '登录' }));
    const phone = screen.getByLabelText('手机号');
    expect(phone).toHaveAccessibleDescription('该手机号已停用: 请联系客服');
    await userEvent.tab();
    expect(phone).toBeInvalid();
    await userEvent.type(phone, '{Backspace}1');
    expect(phone).toBeValid();
  });
});

it('a text field counts an emoji as one character', async () => {
  render(
    <Form initialValues={{ name: '' }} onSubmit={() => {}}>
      <TextField name="name" label="Name" maxLength={3} />
    </Form>,
  );
  await userEvent.click(screen.getByLabelText('Name'));
  await userEvent.paste('🎮🎮🎮🎮');
  expect(screen.getByLabelText('Name')).toHaveValue('🎮🎮🎮');
});

it.each([
  ['-1-2a.5.5', '-12.55', '1'],
  ['１０，５', '10.5', '10.5'],
  ['1,234', '1,234', '1,234'],
])(
  'a number field from 1 to 500 turns the pasted number %j into %j, and on blur into %j',
  async (pasted, value, left) => {
    render(
      <Form initialValues={{ amount: '' }} onSubmit={() => {}}>
        <NumberField name="amount" label="Amount" min={1} max={500} />
      </Form>,
    );
    const input = screen.getByLabelText('Amount');
    await userEvent.click(input);
    await userEvent.paste(pasted);
    expect(input).toHaveValue(value);
    await userEvent.tab();
    expect(input).toHaveValue(left);
  },
);

function Code({ sendCode, phone = '' }: Pick<CodeFieldProps, 'sendCode' | 'phone'>) {
  return (
    <Form initialValues={{ phone, verify: '' }} schema={object({ phone: schema.fields.phone })} onSubmit={() => {}}>
      <TextField name="phone" label="手机号" />
      <CodeField name="verify" label="验证码" phoneName="phone" purpose="login" sendCode={sendCode} />
    </Form>
  );
}

describe('CodeField', () => {
  const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  beforeEach(() => {
    jest.useFakeTimers();
    sessionStorage.clear();
  });
  afterEach(() => jest.useRealTimers());

  it('disables send-code for 60 seconds after a successful send, even if the dialog is closed', async () => {
    const sendCode = jest.fn(async () => ({ resend_after: 60 }));
    const { unmount } = render(<Code sendCode={sendCode} phone="13800000001" />);
    await user.click(screen.getByRole('button', { name: '获取验证码' }));
    expect(sendCode).toHaveBeenCalledWith('13800000001');
    expect(await screen.findByRole('button', { name: '60 秒后重发' })).toBeDisabled();
    expect(Number(sessionStorage.getItem('resend:login:13800000001'))).toBeGreaterThan(Date.now() + 58_000);
    unmount();
    act(() => void jest.advanceTimersByTime(20_000));
    render(<Code sendCode={sendCode} phone="13800000001" />);
    expect(screen.getByRole('button', { name: '40 秒后重发' })).toBeDisabled();
    act(() => void jest.advanceTimersByTime(40_500));
    expect(screen.getByRole('button', { name: '获取验证码' })).toBeEnabled();
    expect(sendCode).toHaveBeenCalledTimes(1);
  });

  it('applies the wait to one purpose only', async () => {
    startResendWait('13800000004', 'login', 60);
    const form = (purpose: 'login' | 'cards') => (
      <Form initialValues={{ verify: '' }} schema={object({})} onSubmit={() => {}}>
        <CodeField name="verify" label="验证码" phone="13800000004" purpose={purpose} sendCode={jest.fn()} />
      </Form>
    );
    const { rerender } = render(form('login'));
    expect(screen.getByRole('button', { name: '60 秒后重发' })).toBeDisabled();
    rerender(form('cards'));
    expect(screen.getByRole('button', { name: '获取验证码' })).toBeEnabled();
  });

  it('focuses the field after its code was sent, and submits the form with the last digit when `submits` is set', async () => {
    const onSubmit = jest.fn();
    const form = (submits: boolean) => (
      <Form key={String(submits)} initialValues={{ verify: '' }} schema={object({})} onSubmit={onSubmit}>
        <CodeField
          name="verify"
          label="验证码"
          phone={`1380000000${submits ? 5 : 6}`}
          purpose="login"
          submits={submits}
          sendCode={async () => ({ resend_after: 60 })}
        />
      </Form>
    );
    const { rerender } = render(form(false));
    await user.type(screen.getByLabelText('验证码'), '123456');
    expect(onSubmit).not.toHaveBeenCalled();
    rerender(form(true));
    await user.click(screen.getByRole('button', { name: '获取验证码' }));
    expect(screen.getByLabelText('验证码')).toHaveFocus();
    await user.keyboard('12345');
    expect(onSubmit).not.toHaveBeenCalled();
    await user.keyboard('6');
    await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(1));
    expect(onSubmit.mock.calls[0]?.[0]).toEqual({ verify: '123456' });
    // After a wrong code the next one is sent as well.
    await user.keyboard('{Backspace}7');
    await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(2));
  });

  it('shows the result of the last click only, and keeps the message at another field', async () => {
    const tooMany = 'Too many attempts. Try again in 1 second.';
    const sendCode = jest
      .fn(async () => ({ resend_after: 60 }))
      .mockRejectedValueOnce(refusal(42901, tooMany))
      .mockRejectedValueOnce(new ApiError({ kind: 'network', code: 0, status: 0, message: '网络已断开' }));
    render(
      <Form
        initialValues={{ verify: '', password: '' }}
        schema={object({})}
        onSubmit={() => Promise.reject(refusal(40001, '', { password: '密码太弱' }))}
      >
        <CodeField name="verify" label="验证码" phone="13800000010" purpose="login" sendCode={sendCode} />
        <PasswordField name="password" label="密码" />
        <FormError />
        <SubmitButton>注册</SubmitButton>
      </Form>,
    );
    const sees = async (text: string, others: string[]) => {
      expect(await screen.findByText(text)).toBeInTheDocument();
      expect(screen.getByText('密码太弱')).toBeVisible();
      for (const other of others) expect(screen.queryByText(other)).toBeNull();
    };
    await user.click(screen.getByRole('button', { name: '注册' }));
    await screen.findByText('密码太弱');
    await user.click(screen.getByRole('button', { name: '获取验证码' }));
    await sees(tooMany, []);
    await user.click(screen.getByRole('button', { name: '获取验证码' }));
    await sees('网络已断开', [tooMany]);
    await user.click(screen.getByRole('button', { name: '获取验证码' }));
    await sees('验证码已发送', [tooMany, '网络已断开']);
    expect(screen.getByLabelText('验证码')).toBeValid();
  });

  it('drops the refusal of a number once a code is sent to it', async () => {
    const refused = refusal(40001, '', { phone: '这个号码暂不支持' });
    const sendCode = jest.fn(async () => ({ resend_after: 60 })).mockRejectedValueOnce(refused);
    render(<Code sendCode={sendCode} phone="13800000009" />);
    await user.click(screen.getByRole('button', { name: '获取验证码' }));
    expect(await screen.findByText('这个号码暂不支持')).toBeVisible();
    await user.click(screen.getByRole('button', { name: '获取验证码' }));
    expect(await screen.findByText('验证码已发送')).toBeInTheDocument();
    expect(screen.getByLabelText('手机号')).toBeValid();
  });

  it('accepts a pasted code, a suggestion from a text message, and digits of an input method once it has ended', async () => {
    render(<Code sendCode={async () => ({ resend_after: 60 })} />);
    const input = screen.getByLabelText('验证码');
    expect(input).toHaveAttribute('autocomplete', 'one-time-code');
    expect(input).toHaveAttribute('inputmode', 'numeric');
    fireEvent.compositionStart(input);
    fireEvent.input(input, { target: { value: '验证码１' }, isComposing: true });
    expect(input).toHaveValue('验证码１');
    fireEvent.compositionEnd(input);
    expect(input).toHaveValue('1');
    await user.clear(input);
    await user.paste('Code: 123 456');
    expect(input).toHaveValue('123456');
  });
});
