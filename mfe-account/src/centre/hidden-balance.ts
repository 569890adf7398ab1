import { useState } from 'react';

const storageKey = 'account.hide-balance';

function read(): boolean {
  try {
    return localStorage.getItem(storageKey) === '1';
  } catch {
    return false;
  }
}

/** Whether the balance is covered on this device, for those who open the shop among people. */
export function useHiddenBalance(): [hidden: boolean, toggle: () => void] {
  const [hidden, setHidden] = useState(read);
  const toggle = () => {
    setHidden(!hidden);
    try {
      if (hidden) localStorage.removeItem(storageKey);
      else localStorage.setItem(storageKey, '1');
    } catch {
      // Storage may be shut: then it holds until the page is left.
    }
  };
  return [hidden, toggle];
}
