declare module 'bench-pages' {
  export const pages: Record<string, () => Promise<unknown>>;
}
declare module 'bench-contracts' {
  import type { RemoteContract } from '@platform/releases/contract';
  export const contracts: RemoteContract[];
}
