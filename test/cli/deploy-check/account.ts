/** An account and databases with all that a deployment needs, as recorded answers, which a test changes one by one. */
import { generateKeyPairSync } from 'node:crypto'
import { type AwsCli, AwsCliError } from '../../../cli/aws-cli.ts'
import type { SenderFor } from '../../../cli/deploy-databases.ts'
import { encodeConfig } from '../../../edge/config.ts'
import { packSecrets } from '../../../edge/packed-secrets.ts'
import { createGuard } from '../../../local/upstash/access.ts'
import { readerRights, writerRights } from '../../../system/redis-rights.ts'
import { awsOf } from '../aws-of.ts'

export const refuse = (reason: string): never => {
  throw new AwsCliError(`An error occurred (${reason})`)
}

const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
const { d, ...publicKey } = jwk
const key = JSON.stringify([Buffer.alloc(32, 7).toString('base64')])
const gateUrl = 'https://gate.example'
const gate = { gateUrl, readerToken: 'reader', writerToken: 'writer', publicKeys: [publicKey], challengeKeys: ['c'] }

export const edgeSecret = (change: object = {}) => ({
  config: encodeConfig(packSecrets({ ...gate, ...change } as Parameters<typeof packSecrets>[0])),
})
const database = { name: 'main', url: 'https://main.example', token: 'owner', commandsPerSecond: 10_000 }

/** By the last name of the secret. */
export const secretValues: Readonly<Record<string, object>> = {
  redis: { stockDatabases: JSON.stringify([database]), gateUrl, gateToken: 'owner' },
  payments: {
    ...{ provider: 'stripe', url: 'https://api.stripe.com', shopUrl: 'https://shop.example' },
    ...{ apiKey: 'rk_live_1', webhookSecret: `whsec_${'a'.repeat(32)}` },
  },
  identity: { sessionKeys: JSON.stringify([jwk]), cookieKeys: key, clientSecret: '' },
  personal: { keys: key },
  edge: edgeSecret(),
  shops: { keys: '{}' },
  checkout: { keys: JSON.stringify([d]) },
}
/** Undefined for a secret that does not exist. */
export const secretAnswer = (value: unknown) =>
  value === undefined ? refuse('ResourceNotFoundException') : JSON.stringify(value)

export const certificate = {
  ...{ Status: 'ISSUED', Type: 'AMAZON_ISSUED', NotAfter: '2027-10-01T12:00:00+00:00' },
  ...{ SubjectAlternativeNames: ['*.shop.example'], DomainValidationOptions: [{ ValidationMethod: 'DNS' }] },
}
export const concurrency = (quota: number, free = quota) => ({
  ...{ ConcurrentExecutions: quota, UnreservedConcurrentExecutions: free },
})
/** Answers by the second word of a call, with a function for the value of an option. */
export type Answers = Readonly<Record<string, (option: (name: string) => string) => unknown>>

export const goodAnswers: Answers = {
  'get-caller-identity': () => ({ Account: '123456789012' }),
  'get-account-plan-state': () => ({ accountPlanType: 'PAID', accountPlanStatus: 'ACTIVE' }),
  'get-email-identity': () => ({ VerifiedForSendingStatus: true }),
  'get-account': () => ({ ProductionAccessEnabled: true, SendingEnabled: true }),
  'get-account-settings': () => concurrency(1000),
  'describe-stacks': () => refuse('Stack does not exist'),
  'describe-certificate': () => certificate,
  'list-service-quotas': () => ({ Quotas: [{ QuotaName: 'Cache behaviors per distribution', Value: 75 }] }),
  'list-response-headers-policies': () => ['sluice-prod-pages', 'another'],
  'get-parameter': () => '25',
  'get-role': () => refuse('NoSuchEntity'),
  'simulate-principal-policy': () => 'allowed',
  'get-secret-value': (option) => secretAnswer(secretValues[option('--secret-id').split('/')[2] ?? '']),
}

export const accountWith = (answers: Answers = {}): AwsCli =>
  awsOf(async (...args) =>
    ({ ...goodAnswers, ...answers })[args[1] ?? '']?.((name) => args[args.indexOf(name) + 1] ?? ''),
  )

type Rights = Readonly<Record<string, readonly string[] | undefined>>

/** Databases in which a token has its rules; without rules it may do everything. */
export const databasesWith =
  (rights: Rights = {}): SenderFor =>
  () =>
  async (_, { token = '', body } = {}) => {
    const guard = createGuard({ owner: undefined, reader: readerRights, writer: writerRights, ...rights }[token])
    const replies = (body as string[][]).map((command) => {
      const refusal = guard(command)
      return refusal === undefined ? { result: command[0] === 'PING' ? 'PONG' : 0 } : { error: refusal.message }
    })
    return { status: 200, headers: new Headers(), text: JSON.stringify(replies) }
  }
