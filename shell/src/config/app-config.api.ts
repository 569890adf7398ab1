import type { AppConfig } from '@shop/server/wire';
import { get } from '@shop/shared/http';

export const fetchAppConfig = (): Promise<AppConfig> => get('/api/front/app/config', undefined, { quiet: true });
