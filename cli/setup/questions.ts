/** The questions of `npm run setup`. Each is repeated until the answer is valid. */
import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { parse, readJson } from '../../core/lib/parse.ts'
import { nonEmpty } from '../../core/stock/database.ts'
import { answers, type StageChoices } from '../../infra/settings/choices.ts'
import { readerRights, writerRights } from '../../system/redis-rights.ts'
import { checkDatabases, type SenderFor } from '../deploy-databases.ts'
import { type SendRequest as Request, summarizeReply } from '../smoke/request.ts'
import type { Dialog } from './dialog.ts'
import { newKeyText } from './secrets.ts'

/** Asks until the answer matches `schema` and has no fault; Enter is undefined. */
type Ask = <T>(
  question: string,
  schema: z.ZodMiniType<T>,
  fault?: (answer: T) => Promise<string | undefined>,
) => Promise<T>
/** `hidden` does not show what is typed. */
export type Questions = Record<'shown' | 'hidden', Ask>

export function questionsOf({ ask, askHidden, print }: Dialog): Questions {
  const by =
    (typed: Dialog['ask']): Ask =>
    async (question, schema, fault) => {
      for (;;) {
        const answer = (await typed(`${question}: `)).trim()
        const read = parse(z.object({ answer: schema }), answer === '' ? {} : { answer })
        const problem = read.ok ? await fault?.(read.value.answer) : `the ${read.detail}`
        if (read.ok && problem === undefined) return read.value.answer
        print(`✗ ${problem}`)
      }
    }
  return { shown: by(ask), hidden: by(askHidden) }
}

const restAddress = z.url({ protocol: /^https$/, error: 'must begin with https://' })

export type RedisAccess = { url: string; token: string }

/** Asks for the address and token of a database that answers and accepts writes. Enter chooses `present`, if it has an address. */
export async function askDatabase(
  what: string,
  present: RedisAccess,
  dialog: Dialog,
  senderFor: SenderFor,
): Promise<RedisAccess> {
  const { shown, hidden } = questionsOf(dialog)
  const question = (example: string) => `REST address of ${what} (${example})`
  for (;;) {
    const url =
      present.url === ''
        ? await shown(question('https://….upstash.io'), restAddress)
        : await shown(question(`Enter: ${present.url}`), z.optional(restAddress))
    if (url === undefined) return present
    const token = await hidden('Its token, not the read-only one', nonEmpty)
    const stock = [{ name: 'database', url, token, commandsPerSecond: 1 }]
    const secret = { stockDatabases: stock, gateUrl: url, gateToken: token }
    const [problem] = (await checkDatabases(JSON.stringify(secret), senderFor)).problems
    if (problem === undefined) return { url, token }
    dialog.print(`✗ ${problem}`)
  }
}

export async function askDomain({ shown }: Questions): Promise<StageChoices['domain']> {
  const name = await shown(
    'Domain of the shop (Enter: none, it gets an address of CloudFront)',
    z.optional(answers.host),
  )
  if (name === undefined) return undefined
  const certificateArn = await shown('ARN of its certificate in us-east-1', answers.certificateArn)
  const id = await shown('Id of its hosted zone in Route 53 (Enter: its DNS is elsewhere)', z.optional(answers.zoneId))
  if (id === undefined) return { name, certificateArn }
  return { name, certificateArn, hostedZone: { id, name: await shown('Name of the hosted zone', answers.host) } }
}

/** A secret of Stripe, not of the simulated provider. */
export const stripeKey = z.string('is missing').check(z.regex(/^[rs]k_(?:test|live)_\w+$/, 'must begin with rk_'))
const webhookSecret = z.string('is missing').check(z.regex(/^whsec_\S+( whsec_\S+)?$/, 'must begin with whsec_'))

/** Returns the value of the secret `payments`, and whether payments are simulated. */
export async function askPayments(stage: string, host: string, { hidden }: Questions) {
  const key =
    stage === 'prod'
      ? await hidden('Stripe’s restricted key (rk_…)', stripeKey)
      : await hidden('Stripe’s restricted key (rk_…; Enter: a trial that simulates payments)', z.optional(stripeKey))
  if (key === undefined) {
    const simulated = { apiKey: newKeyText(), webhookSecret: `whsec_${randomBytes(24).toString('base64')}` }
    return { simulatesPayments: true, payments: simulated }
  }
  const question = `Signing secret of the webhook https://${host}/api/payments/webhook (whsec_…)`
  return { simulatesPayments: false, payments: { apiKey: key, webhookSecret: await hidden(question, webhookSecret) } }
}

export async function askTurnstile({ shown, hidden }: Questions) {
  const siteKey = await shown('Site key of the Turnstile widget (Enter: none)', z.optional(nonEmpty))
  return siteKey === undefined ? undefined : { siteKey, secret: await hidden('Its secret key', nonEmpty) }
}

/** The Redis users of the edge, each with a command that it may run. */
const gateUsers = [
  { field: 'readerToken', name: 'gate-reader', rights: readerRights, probe: ['GET', 'gate:setup'] },
  { field: 'writerToken', name: 'gate-writer', rights: writerRights, probe: ['GET', 'gate:setup:admissions'] },
] as const

const reply = z.object({ result: z.nullish(z.string()), error: z.optional(z.string()) })

async function command(request: Request, token: string, ...words: readonly string[]): Promise<z.infer<typeof reply>> {
  const answer = await request('/', { method: 'POST', token, body: words })
  const read = readJson(reply, answer.text)
  return read.ok ? read.value : { error: summarizeReply(answer) }
}

/**
 * Creates both users in the gate's database, or asks the person to create them if it refuses. `suffix` ends their names,
 * so that former users keep their tokens.
 */
export async function makeGateUsers({ url, token }: RedisAccess, suffix: string, dialog: Dialog, senderFor: SenderFor) {
  const request = senderFor(url)
  const tokens = { readerToken: '', writerToken: '' }
  for (const { field, name, rights, probe } of gateUsers) {
    const user = `${name}${suffix}`
    const rules = (password: string) => ['ACL', 'SETUSER', user, 'reset', 'on', `>${password}`, ...rights]
    const made = await command(request, token, 'ACL', 'GENTOKEN', user)
    const { error } = made.error === undefined ? await command(request, token, ...rules(made.result ?? '')) : made
    if (error === undefined) tokens[field] = made.result ?? ''
    else {
      dialog.print(`! The database refuses: ${error}. In its console’s CLI, without Credential Protection:`)
      dialog.print(`    ACL GENTOKEN ${user}\n    ${rules('<token>').join(' ')}`)
      const fault = async (typed: string) => (await command(request, typed, ...probe)).error
      tokens[field] = await questionsOf(dialog).hidden(`The token of ${user}`, nonEmpty, fault)
    }
    dialog.print(`✓ the Redis user ${user} exists`)
  }
  return tokens
}
