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
  const [hidden, setHidden] = useState(read);
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
