import type { ContractRoute } from '@platform/host/releases.store';
import { localText, type RouteFlags } from '@platform/releases/contract';
import type { Language } from '@shop/shared/domain';
import { t } from '../texts';

/** The title without the brand, which some contracts append for the browser tab. */
export function titleOf(route: ContractRoute, language: Language): string {
  return localText(route.title, language).replace(` - ${t('brand', { lng: language })}`, '');
}

/** A page without a title in the bar, or under a transparent bar, has its heading in its content. */
export const bringsOwnHeading = (flags?: RouteFlags): boolean => !flags?.showTitle || flags.transparent === true;
