import { PassThrough } from 'node:stream';
import {
  type ActionContext,
  type ActionRequest,
  authorOf,
  type GateQueue,
  type GateStep,
  type Identity,
  limitsOf,
  placeInLine,
  refusalOf,
  runAction,
  type ServerContract,
  type Store,
  type Wanted,
} from '@platform/releases';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpsAudit } from '../ops-audit';
import type { StateReader } from '../state-reader';
import { ApiError, explained } from './api-error';
import type { IdentifyCaller } from './callers';

export interface ReleaseApiOptions {
  store: Store;
  server: ServerContract;
  gateQueue: GateQueue;
  browserGate: () => Promise<GateStep>;
  audit: OpsAudit;
  state: StateReader;
}

export interface ActionOptions {
  why?: string;
  dryRun?: boolean;
}
type Progress = Pick<ActionContext, 'say' | 'onCheck'>;

/** Proxies close a connection that is silent for a minute. */
const HEARTBEAT_MS = 10_000;

export class ReleaseApi {
  private readonly callers = new WeakMap<FastifyRequest, Identity>();

  constructor(
    readonly options: ReleaseApiOptions,
    private readonly identifyCaller: IdentifyCaller,
  ) {}

  async authenticate(request: FastifyRequest): Promise<void> {
    this.callers.set(request, await this.identifyCaller(request));
  }

  callerOf(request: FastifyRequest): Identity {
    const caller = this.callers.get(request);
    if (!caller) throw new Error('a release API call without a caller');
    return caller;
  }

  /** Throws ApiError, after an entry in the audit log. */
  requireAllowed(request: FastifyRequest, wanted: Wanted, detail: object = {}): Identity {
    const identity = this.callerOf(request);
    const refusal = refusalOf(identity, wanted);
    const action = `release.${wanted.action}${refusal ? '.refuse' : ''}`;
    this.options.audit(request, action, identity, { subject: 'name' in wanted ? wanted.name : '', detail });
    if (refusal) throw new ApiError('forbidden', 403, refusal);
    return identity;
  }

  /** Runs an action and answers with its result; actions that run the gate answer line by line. */
  async answer(request: FastifyRequest, reply: FastifyReply, wanted: ActionRequest, options: ActionOptions) {
    const { store, server, browserGate, state } = this.options;
    const identity = this.requireAllowed(request, wanted, request.body as object);
    const author = { by: authorOf(identity), role: identity.role, ...limitsOf(identity) };
    const work = (progress: Progress = {}) =>
      runAction(store, wanted, { ...options, ...author, ...progress, server, browserGate }).finally(state.forget);
    if (wanted.action === 'promote' || wanted.action === 'gate') return this.stream(request, reply, wanted.name, work);
    return reply.send({ result: await work() });
  }

  /**
   * One line of JSON for each check, and a last one with the result or the error. A caller that disconnects while it waits leaves
   * the queue.
   */
  private stream(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    work: (progress: Progress) => Promise<unknown>,
  ) {
    const { gateQueue } = this.options;
    gateQueue.requireRoom();
    const lines = new PassThrough();
    const write = (line: object) => lines.write(`${JSON.stringify(line)}\n`);
    const heartbeat = setInterval(() => lines.write('\n'), HEARTBEAT_MS);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const begin = async () => {
      await this.authenticate(request);
      return work({ say: (say) => write({ say }), onCheck: (check) => write({ check }) });
    };
    gateQueue
      .run(begin, { name, onPlace: (place) => write({ say: placeInLine(place), place }), signal: gone.signal })
      .then(
        (result) => write({ result }),
        (error) => {
          const { error: shown } = explained(error);
          if (shown.kind === 'failed') request.log.error({ err: error }, 'a release API action failed');
          write({ error: shown });
        },
      )
      .finally(() => {
        clearInterval(heartbeat);
        lines.end();
      });
    // Without this header, nginx would hold lines back until a buffer is full.
    return reply.type('application/x-ndjson').header('x-accel-buffering', 'no').send(lines);
  }
}
