import { createTexts } from '@shop/shared/i18n';

export const { useTexts } = createTexts('receipt', {
  title: ['收据', 'Receipt'],
  brand: ['星点', 'Stardot'],
  print: ['打印或存为 PDF', 'Print or save as PDF'],
  notInvoice: ['本收据用于核对，不作为发票。', 'For your records; not a tax invoice.'],
});
