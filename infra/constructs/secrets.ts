/**
 * Secrets are created by hand in Secrets Manager (docs/how-to/deploy.md), referenced in the templates, and
 * read by CloudFormation during a deployment. A cold start then needs no call to Secrets Manager. The databases of
 * the stock are the one exception: their list may be larger than an environment, and changes without a deployment.
 */
import { SecretValue, Stack } from 'aws-cdk-lib'
import type { SignInSettings } from '../../functions/people/sign-in-settings.ts'
import { edgeHome } from '../../system/edge-regions.ts'
import type { RedeemSetting, StageSettings } from '../settings/stage.ts'
import type { Grantee } from './sale-function.ts'

/**
 * The fields of each secret, all strings. `stockDatabases` is the JSON text of a list, and `npm run
 * deploy -- --check --redis` makes it. `identity` is made by `npm run
 * session -- identity`; its `clientSecret` is empty for a client without one, such as Cognito's.
 * `personal` is made by `npm run session -- personal`, `shops` by `npm run session -- shop-key`, and `checkout`
 * by `npm run session -- checkout`. `edge` is in us-east-1 and made by `npm run session -- edge`.
 */
export const secretFields = {
  redis: ['stockDatabases', 'gateUrl', 'gateToken'],
  payments: ['provider', 'url', 'apiKey', 'webhookSecret', 'shopUrl'],
  identity: ['sessionKeys', 'cookieKeys', 'clientSecret'],
  personal: ['keys'],
  edge: ['config'],
  shops: ['keys'],
  checkout: ['keys'],
} as const
export type SecretName = keyof typeof secretFields

const secretName = (stage: string, secret: SecretName): string => `sluice/${stage}/${secret}`

/** The secrets that must exist before the stage is deployed, each with its region. */
export function secretsOfStage({
  name,
  region,
  redeem,
  checkout,
}: Pick<StageSettings, 'name' | 'region' | 'redeem' | 'checkout'>): { id: string; region: string }[] {
  const secrets: readonly SecretName[] = [
    ...(['redis', 'payments', 'identity', 'personal', 'edge'] as const),
    ...(redeem !== undefined || checkout !== undefined ? (['shops'] as const) : []),
    ...(checkout === undefined ? [] : (['checkout'] as const)),
  ]
  return secrets.map((secret) => ({ id: secretName(name, secret), region: secret === 'edge' ? edgeHome : region }))
}

/** A reference that CloudFormation resolves; the value itself is in no template. */
export function secretField<Name extends SecretName>(
  stage: string,
  secret: Name,
  field: (typeof secretFields)[Name][number],
): string {
  return SecretValue.secretsManager(secretName(stage, secret), { jsonField: field }).unsafeUnwrap()
}

/**
 * The databases of the stock (S17), which the function reads itself. Secrets Manager adds six characters to the
 * name of a secret in its ARN (https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_iam-permissions.html).
 */
export function grantStock(stage: string, fn: Grantee): void {
  const { partition, region, account } = Stack.of(fn)
  const secret = secretName(stage, 'redis')
  fn.allow(
    ['secretsmanager:GetSecretValue'],
    [`arn:${partition}:secretsmanager:${region}:${account}:secret:${secret}-??????`],
  )
  fn.setVariable('STOCK_SECRET_ID', secret)
}

/** The gate's store, with the locks of its writers. */
export function grantGate(stage: string, fn: Grantee): void {
  fn.setVariable('GATE_REDIS_REST_URL', secretField(stage, 'redis', 'gateUrl'))
  fn.setVariable('GATE_REDIS_REST_TOKEN', secretField(stage, 'redis', 'gateToken'))
}

/** Starting payments and refunds at the payment provider. */
export function grantPayments(stage: string, fn: Grantee): void {
  fn.setVariable('PAYMENT_PROVIDER', secretField(stage, 'payments', 'provider'))
  fn.setVariable('PAYMENT_URL', secretField(stage, 'payments', 'url'))
  fn.setVariable('PAYMENT_API_KEY', secretField(stage, 'payments', 'apiKey'))
}

/** Where shoppers return after they have paid. */
export function grantShopUrl(stage: string, fn: Grantee): void {
  fn.setVariable('SHOP_URL', secretField(stage, 'payments', 'shopUrl'))
}

/** Verifying the payment provider's webhooks. */
export function grantWebhook(stage: string, fn: Grantee): void {
  fn.setVariable('WEBHOOK_SECRET', secretField(stage, 'payments', 'webhookSecret'))
}

/** The simulated provider: the shop's key at it, and where it reports to. */
export function grantSimulator(stage: string, fn: Grantee): void {
  fn.setVariable('PAYMENT_API_KEY', secretField(stage, 'payments', 'apiKey'))
  grantWebhook(stage, fn)
  grantShopUrl(stage, fn)
}

/** The digests of the keys with which shops call. */
export function grantShopKeys(stage: string, fn: Grantee): void {
  fn.setVariable('SHOP_KEYS', secretField(stage, 'shops', 'keys'))
}

/** Redeeming coupons, and undoing it. */
export function grantRedeem(stage: string, fn: Grantee, { undoMinutes = 15 }: RedeemSetting): void {
  grantShopKeys(stage, fn)
  fn.setVariable('UNDO_MINUTES', String(undoMinutes))
}

/** The keys that sign reservations for the checkout of a shop. */
export function grantSignReservations(stage: string, fn: Grantee): void {
  fn.setVariable('CHECKOUT_KEYS', secretField(stage, 'checkout', 'keys'))
}

/** The keys that encrypt contacts and addresses of shoppers. */
export function grantPersonalKeys(stage: string, fn: Grantee): void {
  fn.setVariable('PERSONAL_KEYS', secretField(stage, 'personal', 'keys'))
}

/** The same, and for how many days personal data is kept. */
export function grantPersonal(stage: string, fn: Grantee, days: number): void {
  grantPersonalKeys(stage, fn)
  fn.setVariable('PERSONAL_DAYS', String(days))
}

/** The identity provider, and the keys of sessions and of the function's own cookies. */
export function grantSignIn(stage: string, fn: Grantee, settings: SignInSettings): void {
  fn.setVariable('SIGN_IN', JSON.stringify(settings))
  fn.setVariable('SIGN_IN_SESSION_KEYS', secretField(stage, 'identity', 'sessionKeys'))
  fn.setVariable('SIGN_IN_COOKIE_KEYS', secretField(stage, 'identity', 'cookieKeys'))
  fn.setVariable('SIGN_IN_CLIENT_SECRET', secretField(stage, 'identity', 'clientSecret'))
}
