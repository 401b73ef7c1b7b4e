/**
 * What is brought from outside and nobody else may know: made once by hand in Secrets Manager (docs/deploy.md), named in the
 * templates, and read by CloudFormation when it deploys. A cold function so needs no further service to start, at the
 * moment when thousands of them do.
 */
import { SecretValue } from 'aws-cdk-lib'
import type { Grantee } from './sale-function.ts'

/** The fields of each secret, all text. `edge` is one of us-east-1, and made by `npm run session -- edge`. */
export const secretFields = {
  redis: ['stockUrl', 'stockToken', 'gateUrl', 'gateToken'],
  payments: ['url', 'apiKey', 'webhookSecret'],
  edge: ['config'],
} as const
export type SecretName = keyof typeof secretFields

export const secretName = (stage: string, secret: SecretName): string => `sluice/${stage}/${secret}`

/** A reference that CloudFormation resolves; the value itself is in no template. */
export function secretField<Name extends SecretName>(
  stage: string,
  secret: Name,
  field: (typeof secretFields)[Name][number],
): string {
  return SecretValue.secretsManager(secretName(stage, secret), { jsonField: field }).unsafeUnwrap()
}

/** The stock has an address and a token of its own, so that it can have a Redis of its own (S17). */
export function grantStock(stage: string, fn: Grantee): void {
  fn.tell('UPSTASH_REDIS_REST_URL', secretField(stage, 'redis', 'stockUrl'))
  fn.tell('UPSTASH_REDIS_REST_TOKEN', secretField(stage, 'redis', 'stockToken'))
}

/** What the edge believes, and the locks of whoever changes it. */
export function grantGate(stage: string, fn: Grantee): void {
  fn.tell('GATE_REDIS_REST_URL', secretField(stage, 'redis', 'gateUrl'))
  fn.tell('GATE_REDIS_REST_TOKEN', secretField(stage, 'redis', 'gateToken'))
}

/** Asking the payment provider for a payment, or to send money back. */
export function grantPayments(stage: string, fn: Grantee): void {
  fn.tell('PAYMENT_URL', secretField(stage, 'payments', 'url'))
  fn.tell('PAYMENT_API_KEY', secretField(stage, 'payments', 'apiKey'))
}

/** Knowing the payment provider's messages from anybody else's. */
export function grantWebhook(stage: string, fn: Grantee): void {
  fn.tell('WEBHOOK_SECRET', secretField(stage, 'payments', 'webhookSecret'))
}
