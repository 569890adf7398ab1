import { Suggestions } from '@shop/shared/suggestions';
import type { ReactNode } from 'react';

/** The header's field is empty again once a product was chosen. */
export default function SearchSuggestions({ input }: { input: HTMLInputElement }): ReactNode {
  return <Suggestions input={input} onChoose={() => input.form?.reset()} />;
}
