import { freePort, newFolder, nginx, readConfiguration, runNginx } from '@platform/pages/testing/nginx';
import { until } from '../../../scripts/jest/until';

export { nginx };

export interface Front {
  url: string;
  errors(): string;
  drain(port: number): Promise<void>;
  admit(port: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the real nginx with the project's caching proxy (cdn.conf) on a free port, in front of the servers at these ports. It
 * keeps idle connections to them for `keepAliveMs`.
 */
export async function startNginx(servers: number[], keepAliveMs: number): Promise<Front> {
  const folder = await newFolder();
  const port = await freePort();
  const configured = readConfiguration('cdn.conf', folder);
  const [, options = ''] = /server shop-1:8080(.*);/.exec(configured) ?? [];
  const drained = new Set<number>();
  const upstream = () =>
    servers.map((server) => `server 127.0.0.1:${server}${options}${drained.has(server) ? ' down' : ''};`);
  const site = () =>
    configured
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace(/^ *server shop-\d:8080.*\n/gm, '')
      .replace(/^upstream .*$/m, (line) => [line, ...upstream()].join('\n'))
      .replace(/keepalive_timeout .*;/, `keepalive_timeout ${keepAliveMs}ms;`);
  const { log, reload, stop } = await runNginx({ program: nginx ?? '', folder, site: site() });
  const url = `http://127.0.0.1:${port}`;
  await until('an answer', () =>
    fetch(`${url}/api/front/goods/category`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    url,
    errors: () => log().replace(/^.*\[notice\].*\n/gm, ''),
    drain: (server) => {
      drained.add(server);
      return reload(site());
    },
    admit: (server) => {
      drained.delete(server);
      return reload(site());
    },
    stop,
  };
}
