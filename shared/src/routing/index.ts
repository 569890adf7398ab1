/**
 * What a remote says of itself before any of its code has arrived: the content of its `remote.json`
 * (architecture, "A remote is data first"). The build turns it into the exposes, the release map carries it to the shell.
 */
import type { ComponentType } from 'react';
import type { Language } from '../domain';

export type LocalText = string | Readonly<Record<Language, string>>;

/** Layout flags of specification, section 2. Absent means false, but for keepAlive and layout. */
export interface RouteFlags {
  tabBar?: boolean;
  topBar?: boolean;
  placeholder?: boolean;
  fixed?: boolean;
  transparent?: boolean;
  showTitle?: boolean;
  search?: boolean;
  back?: boolean;
  /** Default true: the page keeps state, data and scroll position when the shopper comes back. */
  keepAlive?: boolean;
  requiresLogin?: boolean;
  /** Default true; false stands outside the layout (/youxi). */
  layout?: boolean;
}

export interface RemoteRoute {
  path: string;
  page: string;
  module: string;
  title: LocalText;
  flags?: RouteFlags;
}

export interface NavigationEntry {
  path: string;
  label: Readonly<Record<Language, string>>;
  icon: string;
  order: number;
}

export interface RemoteContract {
  name: string;
  contract: 1;
  routes: readonly RemoteRoute[];
  tabBar?: readonly NavigationEntry[];
  drawer?: readonly NavigationEntry[];
}

export interface LoaderArguments {
  params: Readonly<Record<string, string | undefined>>;
  request: Request;
}

/** What an exposed page module exports. */
export interface PageModule {
  Component: ComponentType;
  /** Starts the page's calls; must not throw and must not wait for them. */
  loader?: (args: LoaderArguments) => unknown;
  ErrorBoundary?: ComponentType<{ error: unknown; retry: () => void }>;
}

export function localText(text: LocalText, language: Language): string {
  return typeof text === 'string' ? text : text[language];
}
export { useShown } from './use-shown';
