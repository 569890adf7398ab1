const CHANNEL = /^[a-z][a-z0-9-]{0,30}$/;

export const isChannel = (name: string): boolean => CHANNEL.test(name);
