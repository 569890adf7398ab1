/** What the resources of the release API share: who may do what, the audit log, acts and their lines. */
import { PassThrough } from 'node:stream';
import {
  type ActContext,
  type ActLimits,
  type ActRequest,
  type GateQueue,
  type GateStep,
  type Identity,
  placeInLine,
  refusalOf,
  runAct,
  type ServerContract,
  type Store,
  type Wanted,
} from '@platform/releases';
import type { ReleaseReport } from '@platform/watch';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpsAudit } from '../ops-audit';
import { ApiError, explained } from './api-error';
import type { FindCaller } from './callers';

export interface ReleaseApiOptions {
  store: Store;
  server: ServerContract;
  /** Of this server. */
  gateQueue: GateQueue;
  /** Default channel. */
  channel: string;
  browserGate: () => Promise<GateStep>;
  audit: OpsAudit;
  /** How the releases of these names do, or of all; null while that is not known. */
  health?: (names?: readonly string[]) => Promise<ReleaseReport[] | null>;
  /** Called when an act has ended. */
  onAct?: () => void;
}

export interface Given {
  channel: string;
  why?: string;
  dryRun?: boolean;
}
interface Author extends Given {
  by: string;
  role: string;
  limits?: ActLimits;
}
type Progress = Pick<ActContext, 'say' | 'onCheck'>;

/** Proxies close a connection on which nothing comes for a minute. */
const HEARTBEAT_MS = 10_000;

const nameOf = (wanted: Wanted) => ('name' in wanted ? wanted.name : '');

export class ReleaseApi {
  private readonly callers = new WeakMap<FastifyRequest, Identity>();

  constructor(
    readonly options: ReleaseApiOptions,
    private readonly findCaller: FindCaller,
  ) {}

  /** Throws what the caller's search throws. */
  async authenticate(request: FastifyRequest): Promise<void> {
    this.callers.set(request, await this.findCaller(request));
  }

  callerOf(request: FastifyRequest): Identity {
    const caller = this.callers.get(request);
    if (!caller) throw new Error('a call of the release API without a caller');
    return caller;
  }

  channelOf = ({ channel = this.options.channel }: { channel?: string }): string => channel;

  /** Throws ApiError, after an entry in the audit log. */
  requireAllowed(request: FastifyRequest, wanted: Wanted, channel: string | null, detail: object = {}): Identity {
    const identity = this.callerOf(request);
    const refusal = refusalOf(identity, wanted, channel);
    const action = `release.${wanted.act}${refusal ? '.refuse' : ''}`;
    this.options.audit(request, action, identity, { subject: nameOf(wanted), detail });
    if (refusal) throw new ApiError('forbidden', 403, refusal);
    return identity;
  }

  /** Does an act and answers it; of what runs the gate, line by line. */
  async answer(request: FastifyRequest, reply: FastifyReply, act: ActRequest, author: Author) {
    if (act.act === 'promote' || act.act === 'gate')
      return this.stream(request, reply, { name: act.name, by: author.by }, (progress) =>
        this.perform(act, author, progress),
      );
    return reply.send({ result: await this.perform(act, author) });
  }

  private async perform(act: ActRequest, author: Author, progress: Progress = {}) {
    const { store, server, onAct } = this.options;
    try {
      const result = await runAct(store, act, { ...author, ...progress, server, steps: this.gateSteps });
      // Until every server that reads the store serves the change.
      if (!author.dryRun && act.act !== 'gate')
        await new Promise((resolve) => setTimeout(resolve, store.blobs.readAgainMs));
      return result;
    } finally {
      onAct?.();
    }
  }

  private readonly gateSteps = async (skip: readonly string[]) =>
    skip.includes('browser') ? [] : [await this.options.browserGate()];

  /** One line of JSON for each check, the last one with the result or the error. Whoever goes away while it waits is not waited for. */
  private stream(
    request: FastifyRequest,
    reply: FastifyReply,
    about: { name: string; by: string },
    work: (progress: Progress) => Promise<unknown>,
  ) {
    const { gateQueue } = this.options;
    gateQueue.requireRoom();
    const lines = new PassThrough();
    const write = (line: object) => lines.write(`${JSON.stringify(line)}\n`);
    const heartbeat = setInterval(() => lines.write('\n'), HEARTBEAT_MS);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const begin = async (tell: (message: string) => void) => {
      await this.authenticate(request);
      const say = (line: string) => {
        tell(line);
        write({ say: line });
      };
      return work({ say, onCheck: (check) => write({ check }) });
    };
    gateQueue
      .run(begin, { about, onPlace: (place) => write({ say: placeInLine(place), place }), signal: gone.signal })
      .then(
        (result) => write({ result }),
        (error) => {
          const { error: shown } = explained(error);
          if (shown.kind === 'failed') request.log.error({ err: error }, 'an act of the release API failed');
          write({ error: shown });
        },
      )
      .finally(() => {
        clearInterval(heartbeat);
        lines.end();
      });
    // nginx would keep lines back until a buffer is full.
    return reply.type('application/x-ndjson').header('x-accel-buffering', 'no').send(lines);
  }
}
