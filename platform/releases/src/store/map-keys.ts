export const copyKey = (channel: string) => `maps/${channel}.json`;
export const revisionKey = (channel: string, rev: number) => `maps/${channel}/history/${rev}.json`;
