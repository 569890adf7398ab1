export { ReleaseApiClient, ReleaseApiError, UsageError } from './api-client';
export { attestBuild } from './attest-build';
export { type ReleaseService, serviceOfApi, serviceOfStore } from './release-service';
