import { createTexts } from '@shop/shared/i18n';

export const { useTexts } = createTexts('catalog-again', {
  title: ['最近买过', 'Buy it again'],
  all: ['全部订单', 'All orders'],
  do: ['再次购买', 'Buy again'],
  of: ['再次购买：{{name}}', 'Buy again: {{name}}'],
  unavailable: ['暂时无法购买', 'Not available now'],
  failed: ['网络不通，请再试一次，不会重复下单', 'No connection. Try again; you will not be charged twice.'],
});
