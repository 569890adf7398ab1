import type { FastifyRequest } from 'fastify';
import type { Config } from '../config';

type Settings = Pick<Config, 'production'> & { providers: Pick<Config['providers'], 'publicUrl'> };

/**
 * Where the shop is reached, for addresses in documents. In production only by PUBLIC_URL: whoever asks chooses the host of a
 * request, and the document of one visitor may be another's. '' where it is not known.
 */
export function shopOrigin({ production, providers }: Settings): (request: FastifyRequest) => string {
  const known = providers.publicUrl && new URL(providers.publicUrl).origin;
  if (known || production) return () => known;
  let last = { address: '', origin: '' };
  return ({ protocol, host }) => {
    const address = `${protocol}://${host}`;
    if (address !== last.address) last = { address, origin: URL.canParse(address) ? new URL(address).origin : '' };
    return last.origin;
  };
}
