import { render, screen } from '@testing-library/react';
import { RedeemSteps } from './redeem-steps';

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
