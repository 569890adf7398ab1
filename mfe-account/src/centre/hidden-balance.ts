import { useHydrating } from '@shop/shared/routing';
import { useState } from 'react';

const storageKey = 'account.hide-balance';

function read(): boolean {
  try {
    return localStorage.getItem(storageKey) === '1';
  } catch {
    return false;
  }
}

/** Whether the balance is hidden on this device, for use in public. */
export function useHiddenBalance(): [hidden: boolean, toggle: () => void] {
  const [chosen, setHidden] = useState(read);
  // A server does not know this device's choice: nothing is shown that may be hidden here.
  const hidden = useHydrating() || chosen;
  const toggle = () => {
    setHidden(!hidden);
    try {
      if (hidden) localStorage.removeItem(storageKey);
      else localStorage.setItem(storageKey, '1');
    } catch {
      // Without storage the choice lasts until the page is left.
    }
  };
  return [hidden, toggle];
}
