import '@shop/shared/ui/tokens.css';
import './styles.css';
import { QueryClientProvider, queryClient } from '@shop/shared/query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { restorePreferences } from './preferences';

restorePreferences();
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
