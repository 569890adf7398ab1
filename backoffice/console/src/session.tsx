import { type Area, isServed } from '@shop/backoffice/roles';
import type { StaffMe } from '@shop/backoffice/wire';
import { createContext, useContext } from 'react';

const MeContext = createContext<StaffMe | null>(null);
export const MeProvider = MeContext.Provider;

/** Who is signed in. */
export function useMe(): StaffMe {
  const me = useContext(MeContext);
  if (!me) throw new Error('nobody is signed in');
  return me;
}

/** The server decides; this only hides what it would refuse. */
export const mayUse = ({ role }: StaffMe, area: Area): boolean => isServed(area, role);
