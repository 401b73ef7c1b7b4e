/**
 * Checks a stage before it is deployed: its settings, the values of its secrets, and the databases that these name, with
 * the rights of the gate's two Redis users. The results are rows of the table (`deploy-table.ts`). No value is printed.
 */
import * as z from 'zod/mini'
import { decodeJson } from '../core/lib/json.ts'
import { detailsOfFaults, parse, readJson } from '../core/lib/parse.ts'
import { nonEmpty } from '../core/stock/database.ts'
import { problemsOfSecrets, readPart } from '../edge/config.ts'
import { sealerKeys } from '../functions/lib/sealer.ts'
import { isSecretList } from '../functions/orders/payments/payment-webhooks.simulated.ts'
import { checkoutKeys } from '../functions/orders/reservation-token.ts'
import { shopKeyDigests } from '../functions/orders/shop-keys.ts'
import { signInVariables } from '../functions/people/sign-in-settings.ts'
import { secretFields, secretsOfStage } from '../infra/constructs/secrets.ts'
import { secretSettingsLength } from '../infra/gate-header.ts'
import { stageWarnings } from '../infra/settings/problems.ts'
import type { StageSettings } from '../infra/settings/stage.ts'
import { readerRights, writerRights } from '../system/redis-rights.ts'
import { AwsCliError, findInAws } from './aws-cli.ts'
import { findPlaceholders } from './deploy-check.ts'
import { checkDatabases } from './deploy-databases.ts'
import {
  bad,
  type CheckContext,
  type CheckFinding,
  type CheckRow,
  good,
  type RowCheck,
  runRowCheck,
  warning,
} from './deploy-table.ts'
import { RequestFailed, type SendRequest, summarizeReply } from './smoke/request.ts'

const setupCommand = ({ name }: StageSettings, change?: string) =>
  `npm run setup -- --stage ${name}${change === undefined ? '' : ` --change ${change}`}`

/** The `--change` of the setup that repairs a secret. It never replaces keys, which could make data unreadable. */
const changes: Readonly<Record<string, string>> = { redis: 'redis', payments: 'stripe', edge: 'gate-users' }

async function readSettings({ settings }: CheckContext): Promise<CheckFinding[]> {
  const placeholders = findPlaceholders(settings)
  const warnings = stageWarnings(settings)
  if (placeholders.length + warnings.length === 0) return [good('no value of the example is left')]
  return [
    ...placeholders.map((problem) => bad(problem, setupCommand(settings))),
    ...warnings.map((problem) => warning(problem, 'Ask your issuer for a second factor (docs/how-to/deploy.md).')),
  ]
}

/** The values of the secrets that could be read, by the last part of their names. */
type Values = Record<string, string>

async function readSecrets(context: CheckContext): Promise<CheckRow[]> {
  const { settings, aws } = context
  const values: Values = {}
  const rows = await Promise.all(
    secretsOfStage(settings).map(({ id, region }) => {
      const name = id.slice(id.lastIndexOf('/') + 1)
      const at = ['--region', region, '--secret-id', id]
      const read = async () => {
        const get = ['secretsmanager', 'get-secret-value', ...at, '--query', 'SecretString']
        const text = await findInAws(aws, 'ResourceNotFoundException', z.string(), ...get).catch(nullIfDeleted)
        if (text === undefined) return bad(`${id} is missing in ${region}`, setupCommand(settings))
        if (text === null) return bad(`${id} is ${deleted}`, `aws secretsmanager restore-secret ${at.join(' ')}`)
        values[name] = text
        const faults = findFaults(name, text, settings)
        const remedy = name in changes ? setupCommand(settings, changes[name]) : 'docs/how-to/deploy.md, "5. Secrets"'
        if (faults.length > 0) return bad(faults.join('; '), remedy)
        return good(`${fieldsOf[name]?.join(', ')} in ${region}`)
      }
      return runRowCheck({ name: `secret ${name}`, read }, context)
    }),
  )
  return [...rows.flat(), ...(await databaseRows(context, values)), ...(await userRows(context, values))]
}

const deleted = 'marked for deletion'

function nullIfDeleted(error: unknown): null {
  if (error instanceof AwsCliError && error.message.includes(deleted)) return null
  throw error
}

const fieldsOf: Readonly<Record<string, readonly string[]>> = secretFields

const { SIGN_IN_SESSION_KEYS: sessionKeys, SIGN_IN_CLIENT_SECRET: clientSecret } = signInVariables
const standard = z.refine<string>(isSecretList, 'must be secrets of Standard Webhooks (whsec_…)')
const ofProvider = z.startsWith('whsec_', 'must be secrets of the provider (whsec_…)')
const gateConfig = nonEmpty.check(({ value, issues }) => {
  for (const message of gateFaults(value)) issues.push({ code: 'custom', message, input: value })
})

/** Checks that a deployment does not make, and at whose failure functions or the gate would not start. */
const fieldSchemas = ({ simulatesPayments }: StageSettings): Record<string, Record<string, z.ZodMiniType>> => ({
  payments: { webhookSecret: nonEmpty.check(simulatesPayments === true ? standard : ofProvider) },
  identity: { sessionKeys, cookieKeys: sealerKeys, clientSecret },
  ...{ personal: { keys: sealerKeys }, shops: { keys: shopKeyDigests }, checkout: { keys: checkoutKeys } },
  edge: { config: gateConfig },
})

function findFaults(name: string, text: string, settings: StageSettings): string[] {
  const decoded = decodeJson(text)
  const forms = fieldSchemas(settings)[name]
  const shape = Object.fromEntries((fieldsOf[name] ?? []).map((field) => [field, forms?.[field] ?? nonEmpty]))
  return decoded.ok ? detailsOfFaults(z.looseObject(shape, 'must be an object'), decoded.value) : [decoded.detail]
}

function gateFaults(config: string): string[] {
  const given = readPart(config)
  if (given === undefined) return ['must be settings in base64url']
  const faults = problemsOfSecrets(given)
  return config.length > secretSettingsLength
    ? [...faults, `has ${config.length} characters, ${secretSettingsLength} at most`]
    : faults
}

async function databaseRows({ settings, senderFor }: CheckContext, { redis }: Values): Promise<CheckRow[]> {
  if (redis === undefined) return []
  const { problems, warnings, answering } = await checkDatabases(redis, senderFor)
  const isShort = settings.isProduction && settings.size === 'full'
  const found = [
    ...problems.map((one) => bad(one, setupCommand(settings, changes.redis))),
    ...(problems.length === 0 ? [good(`${answering.join(', ')} answer and take writes`)] : []),
    ...(isShort ? warnings.map((one) => warning(one, 'Give the gate a database of its own.')) : []),
  ]
  return found.map((one) => ({ name: 'databases', ...one }))
}

type Command = readonly string[]

/** No key has such a name, so no probe changes anything: it reads, sets only an existing key, or has a wrong argument. */
const probeKey = 'deploy-check'
const probes: Readonly<Record<string, (key: string) => Command>> = {
  get: (key) => ['GET', key],
  hkeys: (key) => ['HKEYS', key],
  hmget: (key) => ['HMGET', key, probeKey],
  sismember: (key) => ['SISMEMBER', key, probeKey],
  smembers: (key) => ['SMEMBERS', key],
  smismember: (key) => ['SMISMEMBER', key, probeKey],
  eval: (key) => ['EVAL', 'return 0', '1', key],
  evalsha: (key) => ['EVALSHA', '0'.repeat(40), '1', key],
  set: (key) => ['SET', key, probeKey, 'XX'],
  hincrby: (key) => ['HINCRBY', key, probeKey, 'no number'],
  hset: (key) => ['HSET', key, probeKey, probeKey, probeKey],
}

/** Returns each command of the user with each of its keys. */
export function probeCommands(rights: readonly string[]): Command[] {
  const named = (sign: string) => rights.filter((rule) => rule.startsWith(sign)).map((rule) => rule.slice(1))
  const keys = named('~').map((pattern) => pattern.replaceAll('*', probeKey))
  return keys.flatMap((key) => named('+').map((name) => probes[name]?.(key) ?? [name, key]))
}

const stock = `stock:{${probeKey}:0}`
const flags = `gate:{${probeKey}}`
const users = [
  { user: 'the reader', token: 'readerToken', rights: readerRights, forbidden: [['DEL', flags]] },
  { user: 'the writer', token: 'writerToken', rights: writerRights, forbidden: [['GET', flags]] },
] as const

const gateUsers = z.looseObject({ gateUrl: z.string(), readerToken: z.string(), writerToken: z.string() })

async function userRows({ settings: stage, senderFor }: CheckContext, { redis, edge }: Values): Promise<CheckRow[]> {
  const packed = readJson(z.looseObject({ config: z.string() }), edge ?? '')
  const settings = packed.ok ? parse(gateUsers, readPart(packed.value.config)) : packed
  if (!settings.ok) return []
  const { gateUrl } = settings.value
  const other = readJson(z.looseObject({ gateUrl: z.string() }), redis ?? '')
  const name = 'gate users'
  if (other.ok && URL.parse(other.value.gateUrl)?.origin !== URL.parse(gateUrl)?.origin)
    return [{ name, ...bad('gateUrl differs between the secrets redis and edge', setupCommand(stage, changes.redis)) }]
  return Promise.all(
    users.map(async ({ user, token, rights, forbidden }) => {
      const mayNot = [['GET', stock], ['EVAL', 'return 0', '1', stock], ...forbidden]
      const wrong = await findWrongRights(senderFor(gateUrl), settings.value[token], probeCommands(rights), mayNot)
      if (wrong === undefined) return { name, ...good(`${user} can do its work, and cannot touch the stock`) }
      return { name, ...bad(`${user} ${wrong}`, setupCommand(stage, changes.edge)) }
    }),
  )
}

const replies = z.array(z.looseObject({ error: z.optional(z.string()) }))

/** Describes the first command that is wrongly refused or allowed; undefined when the user has exactly its rights. */
async function findWrongRights(
  request: SendRequest,
  token: string,
  may: readonly Command[],
  mayNot: readonly Command[],
) {
  const commands = [...may, ...mayNot]
  const reply = await request('/pipeline', { method: 'POST', token, body: commands }).catch((error: unknown) => {
    if (error instanceof RequestFailed) return error.message
    throw error
  })
  if (typeof reply === 'string') return `cannot be checked: ${reply}`
  const read = readJson(replies, reply.text)
  if (!read.ok || read.value.length !== commands.length) return `cannot be checked: ${summarizeReply(reply)}`
  const wrong = commands.flatMap(([name, ...words], at) => {
    const isRefused = read.value[at]?.error?.includes('NOPERM') === true
    const key = words.find((word) => word.includes(':'))
    return isRefused === at >= may.length ? [] : [`${isRefused ? 'may not' : 'may'} ${name} ${key}`]
  })
  return wrong.length === 0 ? undefined : `${wrong[0]}, and ${wrong.length - 1} more of its rights are wrong`
}

export const stageChecks: readonly RowCheck[] = [
  { name: 'settings', read: readSettings },
  { name: 'secrets', read: readSecrets },
]
