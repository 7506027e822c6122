/** The relay's HTTP interface (interop.md section 7). */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { requestId } from 'hono/request-id';
import { routePath } from 'hono/route';
import { timingSafeEqual } from 'hono/utils/buffer';
import { messageOf } from 'latchkey/internal/server';
import * as v from 'valibot';
import type { AppKeyFunder } from '../app-keys/fund-app-key.js';
import type { Delegator } from '../delegates/delegate.js';
import type { ServerLock } from '../lock/server-lock.js';
import type { Log } from '../observe/log.js';
import type { MetricsPage, RelayMetrics } from '../observe/metrics.js';
import type { Readiness } from '../observe/readiness.js';
import type { ReadStatus } from '../observe/status.js';
import { Secret } from '../platform/secret.js';
import type { Registrar } from '../registration/registrar.js';
import type { RemoteAddress } from './client-address.js';
import type { RelayLimits } from './limits.js';
import { MANIFEST_CACHE, type OriginManifest } from './origin-manifest.js';
import { Refusal } from './refusal.js';
import { ALL_ROUTES, pathOf, ROUTES } from './routes.js';
import { transportSecurityFor } from './transport-security.js';
import {
  ApplyLockRequestSchema,
  FundAppKeyRequestSchema,
  RegistrationRequestSchema,
  RemoveLockRequestSchema,
  SignedDelegateRequestSchema,
  SignupSchema,
} from './wire.js';

const MAX_BODY_BYTES = 64 * 1024;

export interface RelayServices {
  /** The origins whose pages may call the relay. */
  readonly allowedOrigins: readonly string[];
  /** Null if another part of the relay answers the routes of money: they are `not_found` here. */
  readonly registrar: Registrar | null;
  /** Null if the relay pays for no delegates: the route answers `delegates_disabled`. */
  readonly delegator: Delegator | null;
  /** Null if the relay pays into no app keys: the route answers `app_keys_disabled`. */
  readonly appKeyFunder: AppKeyFunder | null;
  /** Null if the relay has no lock key: the lock's routes answer `shamir_disabled`. */
  readonly lock: ServerLock | null;
  readonly manifest: OriginManifest;
  /** Null if another part of the relay answers `GET /readyz`. */
  readonly readiness: Readiness | null;
  /** Null if something in front of the relay limits its clients. */
  readonly limits: RelayLimits | null;
  readonly remoteAddress: RemoteAddress;
  readonly metrics: RelayMetrics;
  /** The operator's pages, for callers that send the token. Null disables the routes. */
  readonly operator: OperatorPages | null;
  readonly log: Log;
}

export interface OperatorPages {
  readonly token: Secret;
  /** `GET /metrics`. Null on runtimes without metrics. */
  readonly page: MetricsPage | null;
  /** `GET /status`. */
  readonly readStatus: ReadStatus;
}

type RelayContext = Context<{ Variables: { requestId: string } }>;

/** The relay as an app for any runtime that hono supports. */
export function createRelay(services: RelayServices): Hono<{ Variables: { requestId: string } }> {
  const { registrar, delegator, appKeyFunder, lock, manifest, readiness, limits, metrics, operator, log } =
    services;
  const app = new Hono<{ Variables: { requestId: string } }>({ getPath: pathOf });

  app.use(requestId({ limitLength: 64 }));
  app.use(async (c, next) => {
    const start = performance.now();
    await next();
    c.header('x-content-type-options', 'nosniff');
    const transportSecurity = transportSecurityFor(c.req.url);
    if (transportSecurity) c.header('strict-transport-security', transportSecurity);
    if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store');
    const ms = performance.now() - start;
    log.info('request', {
      requestId: c.var.requestId,
      method: c.req.method,
      path: c.req.path.slice(0, 100),
      status: c.res.status,
      ms: Math.round(ms),
    });
    metrics.request(routeOf(c), c.req.method, c.res.status, ms / 1000);
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
  for (const { path, limited } of ALL_ROUTES) {
    if (!limited) continue;
    app.use(path, async (c, next) => {
      await limits?.take(limited, c);
      await next();
    });
  }
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new Refusal(
          'body_too_large',
          `The body is larger than ${MAX_BODY_BYTES} bytes. Send a smaller one.`,
        );
      },
    }),
  );

  /** The client, and the voucher that it sent. */
  const asker = (c: RelayContext, { signup_voucher: voucher }: v.InferOutput<typeof SignupSchema>) => ({
    address: services.remoteAddress(c),
    ...(voucher !== undefined && { voucher: new Secret(voucher) }),
  });

  app.post(ROUTES.register.path, async (c) => {
    if (!registrar) throw nothingHere();
    const body = await readBody(c, v.intersect([RegistrationRequestSchema, SignupSchema]));
    const { signup_voucher: _, ...request } = body;
    // Asking again about a known registration is free, so that no client in doubt gets refused.
    if (!registrar.knows(request)) await limits?.take('registrations', c);
    const { transactionHash } = await registrar.register(request, c.var.requestId, asker(c, body));
    const message = `Account ${request.new_account_id} was created and registered.`;
    return c.json({ success: true, transactionHash, message });
  });

  app.post(ROUTES.signedDelegate.path, async (c) => {
    if (!registrar) throw nothingHere();
    if (!delegator) throw delegatesDisabled();
    const request = await readBody(c, SignedDelegateRequestSchema);
    const { transactionHash } = await delegator.relay(request, c.var.requestId, services.remoteAddress(c));
    return c.json({ success: true, transactionHash });
  });

  app.post(ROUTES.fundAppKey.path, async (c) => {
    if (!registrar) throw nothingHere();
    if (!appKeyFunder) throw appKeysDisabled();
    const body = await readBody(c, v.intersect([FundAppKeyRequestSchema, SignupSchema]));
    const { transactionHash } = await appKeyFunder.fund(body, c.var.requestId, asker(c, body));
    return c.json({ success: true, transactionHash });
  });

  app.post(ROUTES.applyLock.path, async (c) => {
    const { kek_c_b64u } = await readBody(c, ApplyLockRequestSchema);
    const applied = enabled(lock).apply(kek_c_b64u);
    metrics.lock('apply', 'current');
    return c.json(applied);
  });

  app.post(ROUTES.removeLock.path, async (c) => {
    const { kek_cs_b64u, keyId } = await readBody(c, RemoveLockRequestSchema);
    const keys = enabled(lock);
    await keys.lookFor(keyId);
    const removed = keys.remove(kek_cs_b64u, keyId);
    metrics.lock('remove', keyId === keys.keyInfo.currentKeyId ? 'current' : 'grace');
    return c.json(removed);
  });

  app.get(ROUTES.keyInfo.path, (c) => c.json(enabled(lock).keyInfo));

  app.get(ROUTES.relatedOrigins.path, async (c) => {
    const origins = await manifest.origins();
    c.header('cache-control', MANIFEST_CACHE);
    return c.json({ origins });
  });

  const health = () => ({ ok: true, currentKeyId: lock?.keyInfo.currentKeyId ?? null });
  app.get(ROUTES.health.path, (c) => c.json(health()));
  app.get(ROUTES.ready.path, async (c) => {
    if (!readiness) throw nothingHere();
    await readiness.check();
    return c.json(health());
  });

  app.get(ROUTES.metrics.path, async (c) => {
    const { page } = await forOperator(c, operator);
    if (!page) throw nothingHere();
    return c.body(await page.read(), 200, { 'content-type': page.contentType });
  });

  app.get(ROUTES.status.path, async (c) => {
    const { readStatus } = await forOperator(c, operator);
    try {
      return c.json(await readStatus());
    } catch (error) {
      throw new Refusal('not_ready', `The chain cannot be read: ${messageOf(error)}`, { cause: error });
    }
  });

  app.notFound(() => {
    throw nothingHere();
  });
  app.onError((error, c) => answerError(error, c, services));
  return app;
}

function nothingHere(): Refusal {
  return new Refusal(
    'not_found',
    'There is nothing at this address. The routes are in the relay’s documentation.',
  );
}

/** The operator's pages, if the caller sends the token. */
async function forOperator(c: RelayContext, operator: OperatorPages | null): Promise<OperatorPages> {
  if (!operator) throw nothingHere();
  const isKnown = await timingSafeEqual(
    c.req.header('authorization') ?? '',
    `Bearer ${operator.token.reveal()}`,
  );
  if (isKnown) return operator;
  c.header('www-authenticate', 'Bearer');
  throw new Refusal('unauthorized', 'Send the relay’s METRICS_TOKEN as a bearer token.');
}

/** The route pattern of a request: one of the few above, whatever its path. */
function routeOf(c: Context): string {
  const route = routePath(c, -1);
  return route === '/*' || route === '' ? 'other' : route;
}

function delegatesDisabled(): Refusal {
  const message =
    'This relay pays for no signed delegates. Its operator can allow some with DELEGATE_CALLS and DELEGATE_SPEND_CAP_NEAR.';
  return new Refusal('delegates_disabled', message);
}

function appKeysDisabled(): Refusal {
  const message =
    'This relay pays into no app keys. Its operator can allow it with APP_KEY_ACCOUNT_CAP_NEAR and APP_KEY_SPEND_CAP_NEAR.';
  return new Refusal('app_keys_disabled', message);
}

function enabled(lock: ServerLock | null): ServerLock {
  if (lock) return lock;
  throw new Refusal('shamir_disabled', 'This relay has no lock key. Log in with the passkey instead.');
}

/**
 * The JSON body, checked against the schema. Accepts only application/json: a page of any origin may send other types
 * without a preflight.
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
  } catch {
    // The parser's error quotes the body, so it must not reach a log.
    throw new Refusal('invalid_request', 'The body is not JSON. Send a JSON object.');
  }
  const parsed = v.safeParse(schema, body);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = v.getDotPath(issue) ?? 'the body';
  const problem =
    issue.received === 'undefined' ? 'is missing' : `is malformed: expected ${expectation(issue)}`;
  throw new Refusal('invalid_request', `${path} ${problem}.`);
}

/**
 * The expected shape in words, without the received value: a request's content belongs neither in answers nor in
 * logs.
 */
function expectation(issue: v.BaseIssue<unknown>): string {
  const ours = /^must be (.*)$/.exec(issue.message)?.[1];
  return ours ?? issue.expected ?? issue.type;
}

function answerError(error: unknown, c: RelayContext, { log, metrics }: RelayServices): Response {
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
  metrics.refused(refusal.code);
  if (refusal.retryAfterSeconds !== undefined) c.header('retry-after', String(refusal.retryAfterSeconds));
  const { code, message, transactionHash } = refusal;
  return c.json(
    { success: false, error: code, message, ...(transactionHash && { transactionHash }), requestId },
    refusal.status,
  );
}
