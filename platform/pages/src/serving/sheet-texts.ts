import type { ImmutableFiles } from './immutable-files';

/** The texts of releases' style sheets by their addresses; undefined when one cannot be read. */
export function readSheets(files: ImmutableFiles) {
  const read = async (address: string): Promise<string> => {
    const [, name = '', version = '', file = ''] = /^\/r\/([^/]+)\/([^/]+)\/(.+)$/.exec(address) ?? [];
    const found = await files.read(name, version, file, 'identity');
    if (!found) throw new Error(`${address} is not in the store`);
    return found.content.toString();
  };
  return (addresses: readonly string[]): Promise<string[] | undefined> =>
    Promise.all(addresses.map(read)).catch(() => undefined);
}
