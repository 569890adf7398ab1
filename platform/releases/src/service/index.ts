export { ReleaseApiClient, ReleaseApiError } from './api-client';
export { type ReleaseService, serviceOfStore, UsageError } from './release-service';
