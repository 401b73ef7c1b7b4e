/**
 * The secrets in Secrets Manager, which `npm run setup` stores (docs/how-to/deploy.md). Templates reference them, and
 * CloudFormation reads them during a deployment, so a cold start needs no call to Secrets Manager. The databases of the stock
 * are the exception: their list may be larger than an environment, and changes without a deployment.
 */
import { SecretValue, Stack } from 'aws-cdk-lib'
import { edgeHome } from '../../system/edge-regions.ts'
import type { StageSettings } from '../settings/stage.ts'
import type { Grantee } from './sale-function.ts'

/**
 * The fields of each secret, all strings. `stockDatabases` is the JSON text of a list. `clientSecret` is empty for a
 * client without one, such as Cognito's. `npm run session` makes the values of `shops` and `checkout`; `edge` is in
 * us-east-1.
 */
export const secretFields = {
  redis: ['stockDatabases', 'gateUrl', 'gateToken'],
  payments: ['apiKey', 'webhookSecret'],
  identity: ['sessionKeys', 'cookieKeys', 'clientSecret'],
  personal: ['keys'],
  edge: ['config'],
  shops: ['keys'],
  checkout: ['keys'],
} as const
export type SecretName = keyof typeof secretFields

const secretName = (stage: string, secret: SecretName): string => `sluice/${stage}/${secret}`

/** Returns the secrets that must exist before the stage is deployed, each with its region. */
export function secretsOfStage(settings: Pick<StageSettings, 'name' | 'region' | 'redeem' | 'checkout'>) {
  const { name, region, redeem, checkout } = settings
  const secrets: readonly SecretName[] = [
    ...(['redis', 'payments', 'identity', 'personal', 'edge'] as const),
    ...(redeem !== undefined || checkout !== undefined ? (['shops'] as const) : []),
    ...(checkout === undefined ? [] : (['checkout'] as const)),
  ]
  return secrets.map((secret) => {
    return { name: secret, id: secretName(name, secret), region: secret === 'edge' ? edgeHome : region }
  })
}

type SecretField = { [Name in SecretName]: readonly [Name, (typeof secretFields)[Name][number]] }[SecretName]

/** Returns a reference that CloudFormation resolves; the value itself is in no template. */
export const secretField = (stage: string, ...[secret, jsonField]: SecretField): string =>
  SecretValue.secretsManager(secretName(stage, secret), { jsonField }).unsafeUnwrap()

/**
 * Allows the function to read the databases of the stock (S17). Secrets Manager adds six characters to the name of a secret in
 * its ARN (https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_iam-permissions.html).
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

/** The variables that functions get, each from a field of a secret. */
const variables = {
  /** The gate's store, with the locks of its writers. */
  gate: { GATE_REDIS_REST_URL: ['redis', 'gateUrl'], GATE_REDIS_REST_TOKEN: ['redis', 'gateToken'] },
  /** The shop's key at the payment provider. */
  apiKey: { PAYMENT_API_KEY: ['payments', 'apiKey'] },
  /** Verifying the payment provider's webhooks. */
  webhook: { WEBHOOK_SECRET: ['payments', 'webhookSecret'] },
  /** The digests of the keys with which shops call. */
  shopKeys: { SHOP_KEYS: ['shops', 'keys'] },
  /** The keys that sign reservations for the checkout of a shop. */
  checkoutKeys: { CHECKOUT_KEYS: ['checkout', 'keys'] },
  /** The keys that encrypt contacts and addresses of shoppers. */
  personalKeys: { PERSONAL_KEYS: ['personal', 'keys'] },
  /** The keys of sessions and of the function's own cookies, and the shop's secret at the identity provider. */
  signIn: {
    SIGN_IN_SESSION_KEYS: ['identity', 'sessionKeys'],
    SIGN_IN_COOKIE_KEYS: ['identity', 'cookieKeys'],
    SIGN_IN_CLIENT_SECRET: ['identity', 'clientSecret'],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, SecretField>>>>

export function grantSecrets(stage: string, fn: Grantee, ...wanted: readonly (keyof typeof variables)[]): void {
  for (const [variable, field] of wanted.flatMap((one) => Object.entries<SecretField>(variables[one]))) {
    fn.setVariable(variable, secretField(stage, ...field))
  }
}
