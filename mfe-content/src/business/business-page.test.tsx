import { renderPage, type StubbedAnswers } from '@shop/shared/testing';
import { testFormFailureModes } from '@shop/shared/testing/form-failure-modes';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './business-page';

const call = 'POST /api/front/business/add';
const open = (answer: unknown = { received: true }, session = {}) =>
  renderPage(page, { path: '/business', session, api: { [call]: answer } as StubbedAnswers });

/** Formik validates the fields after the event. */
const settled = () => act(async () => {});
const fill = async (over: Record<string, string> = {}) => {
  const values = {
    公司名称: '星河互娱',
    联系人: '李雷',
    联系电话: '+86 139-0000-0001',
    合作内容: '点卡批量采购',
    ...over,
  };
  for (const [label, text] of Object.entries(values)) {
    fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
  }
  await userEvent.selectOptions(screen.getByLabelText('合作类型'), '渠道分销');
  await settled();
};
const send = () => userEvent.click(screen.getByRole('button', { name: '提交合作意向' }));

it('sends the trimmed enquiry without an empty email, confirms it, and shows an empty form for another one', async () => {
  const { requests } = await open();
  await fill({ 公司名称: '  星河互娱 ' });
  await send();
  const done = await screen.findByRole('heading', { name: '已收到你的合作意向' });
  expect(done).toHaveFocus();
  expect(screen.getByText(/李雷.*\+86 139-0000-0001/)).toBeVisible();
  expect(screen.getByRole('link', { name: '返回首页' })).toHaveAttribute('href', '/home');
  expect(requests).toHaveLength(1);
  expect(requests[0]?.body).toEqual({
    company: '星河互娱',
    contact: '李雷',
    phone: '+86 139-0000-0001',
    type: 'channel',
    content: '点卡批量采购',
  });
  await userEvent.click(screen.getByRole('button', { name: '再提交一份' }));
  expect(screen.getByLabelText('公司名称')).toHaveValue('');
});

it('names every missing field and focuses the first, without a call', async () => {
  const { requests } = await open();
  await send();
  const company = screen.getByLabelText('公司名称');
  await waitFor(() => expect(company).toHaveFocus());
  expect(company).toHaveAccessibleDescription('此项不能为空');
  expect(screen.getByLabelText('联系电话')).toHaveAccessibleDescription('此项不能为空');
  expect(screen.getByLabelText('合作类型')).toHaveAccessibleDescription('请选择');
  expect(screen.getByLabelText('邮箱（选填）')).toBeValid();
  expect(requests).toHaveLength(0);
});

it.each([
  ['联系电话', 'call me', '电话格式不正确'],
  ['联系电话', '()()()', '电话格式不正确'],
  ['邮箱（选填）', '<a@b.c>', '邮箱格式不正确'],
  ['公司名称', '   ', '此项不能为空'],
])('refuses %s “%s”', async (label, text, message) => {
  const { requests } = await open();
  await fill({ [label]: text });
  await send();
  await waitFor(() => expect(screen.getByLabelText(label)).toBeInvalid());
  expect(screen.getByText(new RegExp(message))).toBeVisible();
  expect(requests).toHaveLength(0);
});

testFormFailureModes({
  name: 'the business enquiry',
  call,
  answer: { received: true },
  open: async (api) => {
    const opened = await renderPage(page, { path: '/business', api });
    await fill();
    return opened;
  },
  button: () => screen.getByRole('button', { name: '提交合作意向' }),
  expectInput: () => expect(screen.getByLabelText('合作内容')).toHaveValue('点卡批量采购'),
  messages: { timeout: /等待超时/, offline: /网络已断开/, notJson: /服务器发生错误/ },
});
