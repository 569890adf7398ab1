export { ReleaseApiClient, ReleaseApiError, UsageError } from './api-client';
export { type ReleaseService, serviceOfApi, serviceOfStore } from './release-service';
