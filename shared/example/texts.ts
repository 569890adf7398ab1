import { createTexts } from '@shop/shared/i18n';

export const { useTexts } = createTexts('news', { page: { empty: ['还没有内容', 'Nothing here yet'] } });
