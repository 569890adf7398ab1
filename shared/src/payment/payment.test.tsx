import { render, screen } from '@testing-library/react';
import { create } from 'qrcode';
import { QueryClientProvider, queryClient } from '../query';
import { holdDocument, QrCode, webAddress } from './';

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
