import { renderPage } from '@shop/shared/testing';
import { testFormFailureModes } from '@shop/shared/testing/form-failure-modes';
import { fireEvent, screen } from '@testing-library/react';
import * as page from './business-page';

testFormFailureModes({
  name: 'the business enquiry',
  call: 'POST /api/front/business/add',
  answer: { received: true },
  open: async (api) => {
    const opened = await renderPage(page, { path: '/business', api });
    const values = { 公司名称: '星河互娱', 联系人: '王女士', 联系电话: '021-5555 1234', 合作内容: '点卡批量采购' };
    for (const [label, value] of Object.entries(values)) {
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    }
    fireEvent.change(screen.getByLabelText('合作类型'), { target: { value: 'supply' } });
    return opened;
  },
  button: () => screen.getByRole('button', { name: '提交合作意向' }),
  expectInput: () => expect(screen.getByLabelText('合作内容')).toHaveValue('点卡批量采购'),
  messages: { timeout: /等待超时/, offline: /网络已断开/, notJson: /服务器发生错误/ },
});
