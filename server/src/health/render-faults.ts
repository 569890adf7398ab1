import { randomBytes } from 'node:crypto';
import type { RenderFault } from '@platform/pages/rendering';
import type { ReleaseMap } from '@platform/releases';
import { type HealthCounts, trafficOf } from '@platform/watch';
import type { FastifyRequest } from 'fastify';
import { budgetOf } from '../platform/http/networks';

/**
 * Counts a page that the server could not render as a failed visit of its release, as if the visitor's browser had reported it.
 * It counts only for browsers that open a page, because crawlers and tools never report successful visits.
 */
export function faultReporter(counts: HealthCounts) {
  return ({ ip, headers }: FastifyRequest, map: ReleaseMap, { name, version }: RenderFault): void => {
    const traffic = trafficOf(map, name, version);
    if (traffic === null || headers['sec-fetch-dest'] !== 'document') return;
    const language = /^en\b/i.test(headers['accept-language'] ?? '') ? 'en' : 'zh-CN';
    const device = /Mobi/.test(headers['user-agent'] ?? '') ? 'phone' : 'desktop';
    counts.add(
      { name, version, visit: randomBytes(8).toString('hex'), kind: 'render' },
      { network: budgetOf(ip), context: { language, device, signedIn: false }, traffic },
    );
  };
}
