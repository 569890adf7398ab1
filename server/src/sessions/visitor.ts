import type { FastifyRequest } from 'fastify';
import type { Visitor } from './sessions.service';

export const visitorOf = ({ ip, headers }: FastifyRequest): Visitor => ({
  address: ip,
  userAgent: headers['user-agent'] ?? '',
});
