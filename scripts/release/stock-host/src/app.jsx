// The plugin puts a module into the share scope only if the host imports it somewhere.
import '@shop/shared/domain';
import '@shop/shared/forms';
import { configureHttp } from '@shop/shared/http';
import '@shop/shared/i18n';
import '@shop/shared/money';
import { QueryClientProvider, queryClient } from '@shop/shared/query';
import { createBrowserRouter, RouterProvider } from '@shop/shared/router';
import { SessionProvider } from '@shop/shared/session';
import '@shop/shared/state';
import '@shop/shared/ui';
import '@shop/shared/ui/tokens.css';
import { lazy, Suspense, useState, version } from 'react';
import { createRoot } from 'react-dom/client';

const language = 'en';
const session = {
  token: '',
  hasToken: false,
  user: null,
  hasUser: false,
  language,
  currency: 'USD',
  theme: 'light',
  themeChoice: 'light',
  config: null,
  setLanguage() {},
  setTheme() {},
  openLogin() {},
  openRegister() {},
  openSupport: () => document.body.setAttribute('data-support', 'open'),
  refreshUser: async () => {},
  logout: async () => {},
};
configureHttp({
  token: () => '',
  language: () => language,
  currency: () => 'USD',
  onUnauthorized() {},
  onForbidden() {},
  onNotice() {},
  offlineText: () => 'offline',
});

const pageOf = (load) => lazy(async () => ({ default: (await load()).Component }));
const Business = pageOf(() => import('content/business'));
const Agreement = pageOf(() => import('content/agreement'));

function HostFrame({ children }) {
  const [count, setCount] = useState(0);
  return (
    <main data-react={version}>
      <button type="button" onClick={() => setCount(count + 1)}>{`host ${count}`}</button>
      <Suspense fallback="loading">{children}</Suspense>
    </main>
  );
}

const page = (Page) => (
  <HostFrame>
    <Page />
  </HostFrame>
);
const router = createBrowserRouter([
  { path: '/business', element: page(Business) },
  { path: '/article/agreement', element: page(Agreement) },
]);

createRoot(document.getElementById('root')).render(
  <SessionProvider value={session}>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </SessionProvider>,
);
