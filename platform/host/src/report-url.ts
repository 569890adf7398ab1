export const reportUrl = '/api/health/report';
