declare module 'bench-remotes' {
  import type { RemoteContract } from '@platform/releases/contract';
  export const contracts: RemoteContract[];
  export const pages: Record<string, () => Promise<unknown>>;
}
