import { type Area, isServed } from '@shop/backoffice/roles';
import type { StaffMe } from '@shop/backoffice/wire';
import { createContext, useContext } from 'react';

const MeContext = createContext<StaffMe | null>(null);
export const MeProvider = MeContext.Provider;

export function useMe(): StaffMe {
  const me = useContext(MeContext);
  if (!me) throw new Error('no user is signed in');
  return me;
}

/** The server authorises; this only hides actions that it would refuse. */
export const mayUse = ({ role }: StaffMe, area: Area): boolean => isServed(area, role);
