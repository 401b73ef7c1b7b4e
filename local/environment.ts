/** Builds the settings that differ between deployments: the environment of the functions and the headers of the edge. */

import { audience, issuer } from '../cli/identity.ts'
import { mergedOf } from '../core/lib/fold.ts'
import { isTimeZone } from '../core/lib/text.ts'
import { nameOfShopKey } from '../core/orders/shop-key.ts'
import { defaultSessionSeconds } from '../core/people/session.ts'
import { configHeader, encodeConfig, type TurnstileKeys } from '../edge/config.ts'
import type { SigningKey } from '../functions/lib/session-token.ts'
import type { ProviderName } from '../functions/orders/payments/choose.ts'
import { digestOfShopKey } from '../functions/orders/shop-keys.ts'
import type { MailSettings } from '../functions/people/mailer.ts'
import type { SignInSettings } from '../functions/people/sign-in-settings.ts'
import { workbench } from '../options/registry/workbench.ts'
import { wakingQueueNames } from '../system/queues.ts'
import { keyValueStoreArn } from './cdn/key-value-api.ts'
import type { CloudAddresses } from './process/messages.ts'
import { localSecret, resources } from './resources.ts'
import type { LocalPart } from './seams.ts'

/** The emulated Stripe accepts 25 requests per second, like a new account. */
const pagesPerSecond: Readonly<Record<ProviderName, number>> = { simulated: 1000, stripe: 20 }

/** Emails use the time zone of this machine, if `TZ` names one. */
const own = String(Intl.DateTimeFormat().resolvedOptions().timeZone)
const timeZone = isTimeZone(own) ? own : 'UTC'

/** The services of one shop other than the cloud's. */
type ShopParts = {
  redis: { secretsUrl: string; gateToken: string }
  payment: { provider: ProviderName; url: string; apiKey: string; webhookSecret: string; shopUrl: string }
  edgeStoreUrl: string
  signIn: { issuer: string; client: { id: string; secret: string }; sessionKey: SigningKey; cookieKey: string }
  personal: { key: string; sesEndpoint: string }
}

const ofOptions = (shopUrl: string): Record<string, string> =>
  Object.assign(
    {},
    ...Object.values<LocalPart>(mergedOf(workbench, 'parts')).map(({ environment }) => environment(shopUrl)),
  )

/** Returns the whole environment of the functions. Service addresses lead through the fault proxies. */
export function functionEnvironment(
  { called, queues, waking, region }: CloudAddresses,
  { redis, payment, edgeStoreUrl, signIn, personal }: ShopParts,
): Record<string, string> {
  return {
    STOCK_SECRET_ID: resources.redisSecret,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: redis.secretsUrl,
    GATE_REDIS_REST_URL: called.gate,
    GATE_REDIS_REST_TOKEN: redis.gateToken,
    UPSTASH_DISABLE_TELEMETRY: '1',
    TABLE_NAME: resources.table,
    ORDERS_QUEUE_URL: queues.orders.queue.url,
    ORDERS_DLQ_URL: queues.orders.deadLetters.url,
    DEADLINES_QUEUE_URL: queues.deadlines.queue.url,
    DEADLINES_DLQ_URL: queues.deadlines.deadLetters.url,
    PAYMENT_PROVIDER: payment.provider,
    SHOP_URL: payment.shopUrl,
    PAYMENT_URL: payment.url,
    PAYMENT_API_KEY: payment.apiKey,
    PAYMENT_PAGES_PER_SECOND: String(pagesPerSecond[payment.provider]),
    WEBHOOK_SECRET: payment.webhookSecret,
    SIGN_IN: JSON.stringify({
      issuer: signIn.issuer,
      clientId: signIn.client.id,
      scope: 'openid email',
      claims: { shopperId: 'sub', name: 'name', roles: 'roles', level: 'level' },
      session: { issuer, audience, seconds: defaultSessionSeconds },
    } satisfies SignInSettings),
    SIGN_IN_CLIENT_SECRET: signIn.client.secret,
    SIGN_IN_SESSION_KEYS: JSON.stringify([signIn.sessionKey]),
    SIGN_IN_COOKIE_KEYS: JSON.stringify([signIn.cookieKey]),
    PERSONAL_KEYS: JSON.stringify([personal.key]),
    PERSONAL_DAYS: '180',
    ...Object.fromEntries(wakingQueueNames.map((name) => [`${name.toUpperCase()}_QUEUE_URL`, waking[name].url])),
    ...ofOptions(payment.shopUrl),
    MAIL: JSON.stringify({ from: 'Sluice <orders@shop.example>', timeZone } satisfies MailSettings),
    AWS_ENDPOINT_URL_SESV2: personal.sesEndpoint,
    SITE_BUCKET: resources.bucket,
    UPLOAD_BUCKET: resources.uploads,
    EDGE_STORE_ARN: keyValueStoreArn,
    // A shop under test publishes its keys on this machine.
    PUBLIC_ADDRESSES: 'any',
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: localSecret,
    AWS_ENDPOINT_URL_SQS: called.sqs,
    AWS_ENDPOINT_URL_DYNAMODB: called.dynamodb,
    AWS_ENDPOINT_URL_S3: called.s3,
    AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE: edgeStoreUrl,
    HOLDS: 'on',
    POWERTOOLS_SERVICE_NAME: 'sluice',
    POWERTOOLS_METRICS_NAMESPACE: 'Sluice',
    POWERTOOLS_LOG_LEVEL: 'WARN',
  }
}

/**
 * Returns the variables for the shop key, which redeems coupons and confirms orders, and for the key that signs
 * reservations.
 */
export function valueEnvironment(shopKey: string, checkoutKey: string): Record<string, string> {
  return {
    SHOP_KEYS: JSON.stringify({ [nameOfShopKey(shopKey)]: digestOfShopKey(shopKey) }),
    UNDO_MINUTES: '15',
    CHECKOUT: 'on',
    CHECKOUT_KEYS: JSON.stringify([checkoutKey]),
  }
}

/** Returns the settings of the gate in a custom header of the origin, because Lambda@Edge has no environment. */
export function edgeSettings(
  { called }: CloudAddresses,
  port: number,
  {
    tokens,
    publicKey,
    challenge,
    turnstile,
  }: {
    tokens: { reader: string; writer: string }
    publicKey: object
    challenge: { key: string; cost: number }
    turnstile: TurnstileKeys
  },
): Record<string, string> {
  const secrets = {
    gateUrl: called.gate,
    readerToken: tokens.reader,
    writerToken: tokens.writer,
    publicKeys: [publicKey],
    challengeKeys: [challenge.key],
    turnstile,
  }
  const origins = [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
  return { [configHeader]: encodeConfig({ issuer, audience, origins, challengeCost: challenge.cost }, secrets) }
}
