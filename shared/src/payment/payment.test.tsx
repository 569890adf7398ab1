import { render, screen } from '@testing-library/react';
import { create } from 'qrcode';
import { QueryClientProvider, queryClient } from '../query';
import { holdDocument, measuredTime, QrCode, RedeemSteps, webAddress } from './';

it('renders dark modules on a light ground with a quiet border, and a label', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <QrCode text="weixin://wxpay/bizpayurl?pr=abc" label="Scan to pay" />
    </QueryClientProvider>,
  );
  const picture = await screen.findByRole('img', { name: 'Scan to pay' });
  const { modules } = create('weixin://wxpay/bizpayurl?pr=abc', { errorCorrectionLevel: 'M' });
  const side = modules.size + 8;
  expect(picture).toHaveAttribute('viewBox', `-4 -4 ${side} ${side}`);
  const dark = [...modules.data].filter(Boolean).length;
  expect(picture.querySelector('path')?.getAttribute('d')?.match(/M/g)).toHaveLength(dark);
});

it.each([
  ['/cashier/1', 'http://localhost/cashier/1'],
  ['https://pay.example/x', 'https://pay.example/x'],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['http://pay.example/x', null],
  ['http://[', null],
])('turns the address %s into %s', (address, expected) => {
  expect(webAddress(address)).toBe(expected);
});

it('holds the document until the last holder releases it', () => {
  const { dataset } = document.documentElement;
  const [first, second] = [holdDocument(), holdDocument()];
  first();
  first();
  expect(dataset.holds).toBe('1');
  second();
  expect(dataset.holds).toBeUndefined();
});

it.each([
  [0, '10 seconds', '10 秒钟'],
  [41, '50 seconds', '50 秒钟'],
  [60, '1 minute', '1 分钟'],
  [200, '3 minutes', '3 分钟'],
  [7_300, '2 hours', '2 小时'],
  [200_000, '2 days', '2 天'],
])('formats %d seconds in a readable unit', (seconds, en, zh) => {
  expect(measuredTime(seconds, 'en')).toBe(en);
  expect(measuredTime(seconds, 'zh-CN')).toBe(zh);
});

it.each([
  ['打开 store.steampowered.com/account/redeemwalletcode 并登录', 'store.steampowered.com/account/redeemwalletcode'],
  ['打开 fortnite.com/vbuckscard，登录 Epic 账户', 'fortnite.com/vbuckscard'],
  ['Open https://redeem.microsoft.com.', 'redeem.microsoft.com'],
  ['Sign in to your Battle.net account', 'Battle.net'],
])('links the address in “%s”, and keeps the text', (step, shown) => {
  render(<RedeemSteps steps={[step]} />);
  const link = screen.getByRole('link', { name: shown });
  expect(link).toHaveAttribute('href', `https://${shown}`);
  expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  expect(screen.getByRole('listitem')).toHaveTextContent(step.replace('https://', ''));
});

it.each(['javascript:alert(1)', 'Save code.txt, version 1.2', '输入卡密，余额立即到账', '<a href="x.y">'])(
  'makes no link of “%s”',
  (step) => {
    render(<RedeemSteps steps={[step]} />);
    expect(screen.getByRole('listitem')).toHaveTextContent(step);
    expect(screen.queryByRole('link')).not.toBeInTheDocument();
  },
);
