/** A page is rendered with the answers that it was given; a call without one stays pending. */
export const http = { request: () => new Promise<never>(() => {}) };
