/**
 * What belongs to a stage before it is deployed: its settings, the values of its secrets, and the databases that these
 * name, with the rights of the gate's two Redis users; rows of the table (`deploy-table.ts`). No value is printed.
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
import { AwsRefused, askAws } from './aws-cli.ts'
import { placeholdersIn } from './deploy-check.ts'
import { checkDatabases } from './deploy-databases.ts'
import { type Asked, bad, good, type Row, type RowCheck, type RowFinding, rowsOf, warning } from './deploy-table.ts'
import { type Ask, AskFailed, gistOf } from './smoke/ask.ts'

const setUp = ({ name }: StageSettings, change?: string) =>
  `npm run setup -- --stage ${name}${change === undefined ? '' : ` --change ${change}`}`

/** What the setup asks for again where a secret is wrong. It never replaces keys, which could make data unreadable. */
const changes: Readonly<Record<string, string>> = { redis: 'redis', payments: 'stripe', edge: 'gate-users' }

async function readSettings({ settings }: Asked): Promise<RowFinding[]> {
  const placeholders = placeholdersIn(settings)
  const warnings = stageWarnings(settings)
  if (placeholders.length + warnings.length === 0) return [good('no value of the example is left')]
  return [
    ...placeholders.map((problem) => bad(problem, setUp(settings))),
    ...warnings.map((problem) => warning(problem, 'Ask your issuer for a second factor (docs/how-to/deploy.md).')),
  ]
}

/** The values of the secrets that could be read, by their last name. */
type Values = Record<string, string>

async function readSecrets(asked: Asked): Promise<Row[]> {
  const { settings, aws } = asked
  const values: Values = {}
  const rows = await Promise.all(
    secretsOfStage(settings).map(({ id, region }) => {
      const name = id.slice(id.lastIndexOf('/') + 1)
      const at = ['--region', region, '--secret-id', id]
      const read = async () => {
        const get = ['secretsmanager', 'get-secret-value', ...at, '--query', 'SecretString']
        const text = await askAws(aws, 'ResourceNotFoundException', z.string(), ...get).catch(nullIfDeleted)
        if (text === undefined) return bad(`${id} is missing in ${region}`, setUp(settings))
        if (text === null) return bad(`${id} is ${deleted}`, `aws secretsmanager restore-secret ${at.join(' ')}`)
        values[name] = text
        const faults = faultsOf(name, text, settings)
        const remedy = name in changes ? setUp(settings, changes[name]) : 'docs/how-to/deploy.md, "5. Secrets"'
        if (faults.length > 0) return bad(faults.join('; '), remedy)
        return good(`${fieldsOf[name]?.join(', ')} in ${region}`)
      }
      return rowsOf({ name: `secret ${name}`, read }, asked)
    }),
  )
  return [...rows.flat(), ...(await databaseRows(asked, values)), ...(await userRows(asked, values))]
}

const deleted = 'marked for deletion'

function nullIfDeleted(error: unknown): null {
  if (error instanceof AwsRefused && error.message.includes(deleted)) return null
  throw error
}

const fieldsOf: Readonly<Record<string, readonly string[]>> = secretFields

const { SIGN_IN_SESSION_KEYS: sessionKeys, SIGN_IN_CLIENT_SECRET: clientSecret } = signInVariables
const standard = z.refine<string>(isSecretList, 'must be secrets of Standard Webhooks (whsec_…)')
const ofProvider = z.startsWith('whsec_', 'must be secrets of the provider (whsec_…)')
const gateConfig = nonEmpty.check(({ value, issues }) => {
  for (const message of gateFaults(value)) issues.push({ code: 'custom', message, input: value })
})

/** Forms that a deployment would not check, and functions or the gate would refuse at their start. */
const formsOf = ({ simulatesPayments }: StageSettings): Record<string, Record<string, z.ZodMiniType>> => ({
  payments: { webhookSecret: nonEmpty.check(simulatesPayments === true ? standard : ofProvider) },
  identity: { sessionKeys, cookieKeys: sealerKeys, clientSecret },
  ...{ personal: { keys: sealerKeys }, shops: { keys: shopKeyDigests }, checkout: { keys: checkoutKeys } },
  edge: { config: gateConfig },
})

function faultsOf(name: string, text: string, settings: StageSettings): string[] {
  const decoded = decodeJson(text)
  const forms = formsOf(settings)[name]
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

async function databaseRows({ settings, askerOf }: Asked, { redis }: Values): Promise<Row[]> {
  if (redis === undefined) return []
  const { problems, warnings, answering } = await checkDatabases(redis, askerOf)
  const isShort = settings.isProduction && settings.size === 'full'
  const found = [
    ...problems.map((one) => bad(one, setUp(settings, changes.redis))),
    ...(problems.length === 0 ? [good(`${answering.join(', ')} answer and take writes`)] : []),
    ...(isShort ? warnings.map((one) => warning(one, 'Give the gate a database of its own.')) : []),
  ]
  return found.map((one) => ({ name: 'databases', ...one }))
}

type Command = readonly string[]

/** No key has such a name, so none of these changes anything: they read it, or set it if it exists, or are not whole. */
const mark = 'deploy-check'
const probes: Readonly<Record<string, (key: string) => Command>> = {
  get: (key) => ['GET', key],
  hkeys: (key) => ['HKEYS', key],
  hmget: (key) => ['HMGET', key, mark],
  sismember: (key) => ['SISMEMBER', key, mark],
  smembers: (key) => ['SMEMBERS', key],
  smismember: (key) => ['SMISMEMBER', key, mark],
  eval: (key) => ['EVAL', 'return 0', '1', key],
  evalsha: (key) => ['EVALSHA', '0'.repeat(40), '1', key],
  set: (key) => ['SET', key, mark, 'XX'],
  hincrby: (key) => ['HINCRBY', key, mark, 'no number'],
  hset: (key) => ['HSET', key, mark, mark, mark],
}

/** What the user needs: each of its commands with each of its keys. */
export function neededBy(rights: readonly string[]): Command[] {
  const named = (sign: string) => rights.filter((rule) => rule.startsWith(sign)).map((rule) => rule.slice(1))
  const keys = named('~').map((pattern) => pattern.replaceAll('*', mark))
  return keys.flatMap((key) => named('+').map((name) => probes[name]?.(key) ?? [name, key]))
}

const stock = `stock:{${mark}:0}`
const flags = `gate:{${mark}}`
const users = [
  { user: 'the reader', token: 'readerToken', rights: readerRights, forbidden: [['DEL', flags]] },
  { user: 'the writer', token: 'writerToken', rights: writerRights, forbidden: [['GET', flags]] },
] as const

const gateUsers = z.looseObject({ gateUrl: z.string(), readerToken: z.string(), writerToken: z.string() })

async function userRows({ settings: stage, askerOf }: Asked, { redis, edge }: Values): Promise<Row[]> {
  const packed = readJson(z.looseObject({ config: z.string() }), edge ?? '')
  const settings = packed.ok ? parse(gateUsers, readPart(packed.value.config)) : packed
  if (!settings.ok) return []
  const { gateUrl } = settings.value
  const other = readJson(z.looseObject({ gateUrl: z.string() }), redis ?? '')
  const name = 'gate users'
  if (other.ok && URL.parse(other.value.gateUrl)?.origin !== URL.parse(gateUrl)?.origin)
    return [{ name, ...bad('gateUrl differs between the secrets redis and edge', setUp(stage, changes.redis)) }]
  return Promise.all(
    users.map(async ({ user, token, rights, forbidden }) => {
      const mayNot = [['GET', stock], ['EVAL', 'return 0', '1', stock], ...forbidden]
      const wrong = await wrongRights(askerOf(gateUrl), settings.value[token], neededBy(rights), mayNot)
      if (wrong === undefined) return { name, ...good(`${user} can do its work, and cannot touch the stock`) }
      return { name, ...bad(`${user} ${wrong}`, setUp(stage, changes.edge)) }
    }),
  )
}

const replies = z.array(z.looseObject({ error: z.optional(z.string()) }))

/** The first command that is refused or carried out by mistake; undefined when the user has the rights that it needs. */
async function wrongRights(ask: Ask, token: string, may: readonly Command[], mayNot: readonly Command[]) {
  const commands = [...may, ...mayNot]
  const reply = await ask('/pipeline', { method: 'POST', token, body: commands }).catch((error: unknown) => {
    if (error instanceof AskFailed) return error.message
    throw error
  })
  if (typeof reply === 'string') return `cannot be asked: ${reply}`
  const read = readJson(replies, reply.text)
  if (!read.ok || read.value.length !== commands.length) return `cannot be asked: ${gistOf(reply)}`
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
