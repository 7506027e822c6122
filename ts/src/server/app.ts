/** The relay's HTTP interface (interop.md section 7). */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { requestId } from 'hono/request-id';
import * as v from 'valibot';
import { messageOf } from '../errors.js';
import type { ServerLock } from './lock.js';
import type { Log } from './log.js';
import type { OriginManifest } from './origin-manifest.js';
import type { Readiness } from './readiness.js';
import { Refusal } from './refusal.js';
import type { Registrar } from './registrar.js';
import { ApplyLockRequestSchema, RegistrationRequestSchema, RemoveLockRequestSchema } from './wire.js';

const MAX_BODY_BYTES = 64 * 1024;

export interface RelayServices {
  /** The origins whose pages may call. */
  readonly allowedOrigins: readonly string[];
  readonly registrar: Registrar;
  /** Null where the relay has no lock key: the lock's routes answer `shamir_disabled`. */
  readonly lock: ServerLock | null;
  readonly manifest: OriginManifest;
  readonly readiness: Readiness;
  readonly log: Log;
}

type RelayContext = Context<{ Variables: { requestId: string } }>;

/** The relay as an app that any runtime of hono's can serve. */
export function createRelay(services: RelayServices): Hono<{ Variables: { requestId: string } }> {
  const { registrar, lock, manifest, readiness, log } = services;
  const app = new Hono<{ Variables: { requestId: string } }>();

  app.use(requestId({ limitLength: 64 }));
  app.use(async (c, next) => {
    const start = performance.now();
    await next();
    c.header('x-content-type-options', 'nosniff');
    if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store');
    log.info('request', {
      requestId: c.var.requestId,
      method: c.req.method,
      path: c.req.path.slice(0, 100),
      status: c.res.status,
      ms: Math.round(performance.now() - start),
    });
  });
  app.use(
    cors({
      origin: (origin) => (services.allowedOrigins.includes(origin) ? origin : null),
      allowMethods: ['GET', 'POST'],
      allowHeaders: ['content-type', 'x-request-id'],
      exposeHeaders: ['x-request-id', 'retry-after'],
      maxAge: 600,
    }),
  );
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new Refusal('body_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
      },
    }),
  );

  app.post('/create_account_and_register_user', async (c) => {
    const request = await readBody(c, RegistrationRequestSchema);
    const { transactionHash } = await registrar.register(request, c.var.requestId);
    const message = `Account ${request.new_account_id} was created and registered.`;
    return c.json({ success: true, transactionHash, message });
  });

  app.post('/vrf/apply-server-lock', async (c) => {
    const { kek_c_b64u } = await readBody(c, ApplyLockRequestSchema);
    return c.json(enabled(lock).apply(kek_c_b64u));
  });

  app.post('/vrf/remove-server-lock', async (c) => {
    const { kek_cs_b64u, keyId } = await readBody(c, RemoveLockRequestSchema);
    return c.json(enabled(lock).remove(kek_cs_b64u, keyId));
  });

  app.get('/shamir/key-info', (c) => c.json(enabled(lock).keyInfo));

  app.get('/.well-known/webauthn', async (c) => {
    const origins = await manifest.origins();
    c.header('cache-control', 'max-age=60, stale-while-revalidate=600');
    return c.json({ origins });
  });

  const health = { ok: true, currentKeyId: lock?.keyInfo.currentKeyId ?? null };
  app.get('/healthz', (c) => c.json(health));
  app.get('/readyz', async (c) => {
    await readiness.check();
    return c.json(health);
  });

  app.notFound(() => {
    throw new Refusal('not_found', 'There is nothing at this address.');
  });
  app.onError((error, c) => answerError(error, c, log));
  return app;
}

function enabled(lock: ServerLock | null): ServerLock {
  if (lock) return lock;
  throw new Refusal('shamir_disabled', 'This relay has no lock key. Log in with the passkey instead.');
}

/**
 * The JSON body, in the shape of the schema. Only application/json is taken: a page of any origin may send other
 * types without asking first.
 */
async function readBody<S extends v.GenericSchema>(c: RelayContext, schema: S): Promise<v.InferOutput<S>> {
  const [type = ''] = (c.req.header('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new Refusal('unsupported_media_type', 'Send the body as application/json.');
  }
  const text = await c.req.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new Refusal('invalid_request', 'The body is not JSON.', { cause: error });
  }
  const parsed = v.safeParse(schema, body);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = v.getDotPath(issue) ?? 'the body';
  const problem =
    issue.received === 'undefined' ? 'is missing' : `is malformed: expected ${expectation(issue)}`;
  throw new Refusal('invalid_request', `${path} ${problem}.`);
}

/** What was expected, in words, without what came: a request's content belongs neither in answers nor in logs. */
function expectation(issue: v.BaseIssue<unknown>): string {
  const ours = /^must be (.*)$/.exec(issue.message)?.[1];
  return ours ?? issue.expected ?? issue.type;
}

function answerError(error: unknown, c: RelayContext, log: Log): Response {
  const { requestId } = c.var;
  const refusal =
    error instanceof Refusal ? error : new Refusal('internal', 'The relay failed. Try again later.');
  if (refusal.code === 'internal') {
    log.error('failure', {
      requestId,
      reason: messageOf(error),
      stack: error instanceof Error ? error.stack : undefined,
    });
  } else {
    const cause = refusal.cause === undefined ? undefined : messageOf(refusal.cause);
    log.warn('refused', { requestId, code: refusal.code, message: refusal.message, cause });
  }
  if (refusal.retryAfterSeconds !== undefined) c.header('retry-after', String(refusal.retryAfterSeconds));
  const { code, message, transactionHash } = refusal;
  return c.json(
    { success: false, error: code, message, ...(transactionHash && { transactionHash }), requestId },
    refusal.status,
  );
}
