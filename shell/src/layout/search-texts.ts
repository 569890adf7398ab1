import { createTexts, pairs } from '@shop/shared/i18n';

/** In the chunk of the suggestions. */
export const { useTexts } = createTexts(
  'shell',
  pairs({
    searchSuggestions: ['搜索建议', 'Suggestions'],
  }),
);
