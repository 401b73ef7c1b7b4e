/**
 * `npm run setup -- --stage small`: all that a person knows and a stage needs before `npm run deploy`. It asks for what is
 * missing, makes the random secrets, stores all secrets, makes the Redis users of the gate, and writes what was chosen
 * to `infra/settings/<stage>.json`. May be repeated: it keeps what exists. With `--change` it asks for one thing again,
 * with `--rotate` it makes one step of a key's change. After the deployment it makes the first marketer.
 *
 * Exit code 0: done. 1: refused, or something must be repaired first. 2: an option is wrong.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { parse } from '../core/lib/parse.ts'
import { type StockDatabase, stockDatabases } from '../core/stock/database.ts'
import { type SigningKey, signingKey } from '../functions/lib/session-token.ts'
import { secretsOfStage } from '../infra/constructs/secrets.ts'
import { redisCommandsPerSecond } from '../infra/settings/arithmetic.ts'
import { answers, type Choices, choices, choicesFile, readChoices, withChoices } from '../infra/settings/choices.ts'
import { dev } from '../infra/settings/dev.ts'
import { addressIn } from '../infra/settings/mail.ts'
import { prod } from '../infra/settings/prod.ts'
import { small } from '../infra/settings/small.ts'
import type { StageSettings } from '../infra/settings/stage.ts'
import { edgeHome } from '../system/edge-regions.ts'
import { type AwsCli, AwsRefused, askAws, awsCli, readAws } from './aws-cli.ts'
import { type AskerOf, checkDatabases } from './deploy-databases.ts'
import { hasFixedPlan } from './preflight/load.ts'
import { type Dialog, terminalDialog } from './setup/dialog.ts'
import { makeMarketer } from './setup/marketer.ts'
import {
  askDatabase,
  askDomain,
  askPayments,
  askTurnstile,
  makeGateUsers,
  type Place,
  questionsOf,
  stripeKey,
} from './setup/questions.ts'
import {
  listIn,
  newKeyText,
  newSessionKey,
  publicKeyOf,
  type Rotation,
  rotate,
  rotations,
  type Step,
  steps,
} from './setup/rotation.ts'
import { edgeFieldsIn, edgeValue, openSecrets, type StoredSecrets, type Value } from './setup/stored-secrets.ts'
import { AskFailed, asker } from './smoke/ask.ts'

/** What `--change` asks for again. */
const changes = {
  'alarm-email': 'who gets the alarms',
  domain: 'the name of the shop, its certificate and its hosted zone',
  sender: 'the address that sign-in codes come from',
  stripe: 'Stripe’s keys; without them a stage for trials simulates payments',
  redis: 'address and token of each database',
  'gate-users': 'new tokens of the edge',
  turnstile: 'the keys of Turnstile',
  'client-secret': 'the secret of the shop at its own issuer',
  marketer: 'another account of a marketer',
} as const
type Change = keyof typeof changes

const usage = `npm run setup -- --stage dev|small|prod
npm run setup -- --stage STAGE --change WHAT
npm run setup -- --stage STAGE --rotate ${Object.keys(rotations).join('|')} --step ${steps.join('|')}

  --change WHAT asks for one thing again:
${Object.entries(changes)
  .map(([what, text]) => `    ${what.padEnd(14)} ${text}`)
  .join('\n')}
  --rotate KEY  add: a new key behind the others. use: the last one becomes the first, which signs or encrypts.
                drop: the last one is removed. Deploy after each step.`

export type SetupSurroundings = {
  /** As they are in the repository. */
  stages: Readonly<Record<string, StageSettings>>
  /** Where the choices of a stage are. */
  fileOf: (stage: string) => URL
  aws: AwsCli
  askerOf: AskerOf
  dialog: Dialog
  makeMarketer: typeof makeMarketer
}

type Options = { stage: StageSettings; change?: Change | undefined; rotation?: readonly [Rotation, Step] | undefined }

function optionsIn(args: string[], stages: SetupSurroundings['stages']): Options | undefined {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({ args, options: { stage: text, change: text, rotate: text, step: text } })
    const stage = stages[values.stage ?? '']
    const change = z.optional(z.enum(Object.keys(changes) as Change[])).parse(values.change)
    const pair = z.tuple([z.enum(Object.keys(rotations) as Rotation[]), z.enum(steps)])
    const isRotation = values.rotate !== undefined || values.step !== undefined
    const rotation = isRotation ? pair.parse([values.rotate, values.step]) : undefined
    return stage === undefined || (isRotation && change !== undefined) ? undefined : { stage, change, rotation }
  } catch {
    return undefined
  }
}

/** Asks, prints what was found and done, and returns the exit code. */
export async function runSetup(args: string[], around: SetupSurroundings): Promise<number> {
  const { dialog } = around
  const options = optionsIn(args, around.stages)
  if (options === undefined) {
    dialog.print(usage)
    return 2
  }
  try {
    return await setUp(options, around)
  } catch (error) {
    if (!(error instanceof AwsRefused || error instanceof RangeError || error instanceof AskFailed)) throw error
    dialog.print(`✗ ${error.message}`)
    return 1
  }
}

const identity = z.object({ Account: z.string() })

async function setUp({ stage, change, rotation }: Options, around: SetupSurroundings): Promise<number> {
  const { aws, askerOf, dialog, fileOf } = around
  const { print } = dialog
  const present = readChoices(fileOf(stage.name))
  let chosen = present
  let isChanged = false
  const save = (next: Choices) => {
    if (JSON.stringify(next) === JSON.stringify(chosen)) return
    chosen = choices.parse(JSON.parse(JSON.stringify(next)))
    writeFileSync(fileOf(stage.name), `${JSON.stringify(chosen, null, 2)}\n`)
    isChanged = true
    print(`✓ infra/settings/${stage.name}.json is written: commit it`)
  }
  const settingsNow = () => withChoices(stage, chosen)
  const revision = settingsNow().secretsRevision + 1
  // A deployment reads secrets only where the revision has changed, so it comes first: the replacement may fail halfway.
  const beforeReplacing = () => save({ ...chosen, secretsRevision: revision })
  print(`✓ account ${readAws(identity, await aws('sts', 'get-caller-identity')).Account}`)
  const secrets = await openSecrets(aws, settingsNow(), { print, beforeReplacing })
  for (const remedy of secrets.deleted) print(`✗ ${remedy}`)
  if (secrets.deleted.length > 0) return 1
  if (rotation !== undefined) {
    print(`✓ ${await rotate(...rotation, secrets)}.`)
    return 0
  }
  const run = { change, secrets, dialog, askerOf }
  const { payments, ...next } = await askChoices(stage, present, run)
  save(next)
  if (payments !== undefined) await secrets.write('payments', payments)
  const databases = await storeDatabases(settingsNow(), run)
  const sessionKeys = await storeIdentity(settingsNow(), run)
  if (!secrets.has('personal')) await secrets.write('personal', { keys: JSON.stringify([newKeyText()]) })
  await storeEdge({ databases, sessionKeys, suffix: change === 'gate-users' ? `-${revision}` : '' }, run)
  for (const line of await leftToDo(settingsNow(), isChanged, { ...around, ...run })) print(line)
  return 0
}

type Run = Pick<SetupSurroundings, 'dialog' | 'askerOf'> & { change: Change | undefined; secrets: StoredSecrets }

/** An example of the repository counts as missing. */
const isMissing = (address = '') => address === '' || address.endsWith('@example.com')

/** What the file of the stage should have, and the value of the secret `payments` where it is new. */
async function askChoices(stage: StageSettings, present: Choices | undefined, { change, secrets, dialog }: Run) {
  const questions = questionsOf(dialog)
  const { alarmEmail, domain } = withChoices(stage, present)
  const chosen: Choices & { payments?: Value } = { alarmEmail: undefined, sender: undefined, ...present }
  if (change === 'alarm-email' || isMissing(alarmEmail))
    chosen.alarmEmail = await questions.shown('E-mail address for alarms', answers.alarmEmail)
  if (change === 'domain' || (present === undefined && domain === undefined)) chosen.domain = await askDomain(questions)
  const shop = `https://${(chosen.domain ?? domain)?.name ?? '<shop>'}`
  if (change === 'stripe' || !secrets.has('payments'))
    Object.assign(chosen, await askPayments(stage.name, shop, questions))
  else if (present === undefined)
    chosen.simulatesPayments = !stripeKey.safeParse((await secrets.read('payments')).apiKey).success
  const { isProduction, signIn } = withChoices(stage, chosen)
  const isUnsent = isProduction && signIn.kind === 'cognito' && isMissing(addressIn(signIn.email?.from ?? ''))
  if (change === 'sender' || isUnsent)
    chosen.sender = await questions.shown('Sender of sign-in codes (Shop <sign-in@shop.example>)', answers.sender)
  return chosen
}

/** The gate's database. A small stage begins with one for stock and gate. The list keeps its names, which sales have. */
async function storeDatabases(settings: StageSettings, { change, secrets, dialog, askerOf }: Run): Promise<Place> {
  const isNew = !secrets.has('redis')
  const { stockDatabases: text, gateUrl: url = '', gateToken: token = '' } = isNew ? {} : await secrets.read('redis')
  if (!isNew && change !== 'redis') return { url, token }
  const read = isNew ? undefined : parse(stockDatabases, text)
  if (read?.ok === false) throw new RangeError(`stockDatabases of the secret: ${read.detail}`)
  const list = read?.value ?? [{ name: 'main', url, token, commandsPerSecond: redisCommandsPerSecond }]
  const stock: StockDatabase[] = []
  for (const one of list)
    stock.push({ ...one, ...(await askDatabase(`the database ${one.name}`, one, dialog, askerOf)) })
  const shared = stock[list.findIndex((one) => one.url === url)]
  const gate =
    isNew && !hasFixedPlan(settings) && shared
      ? shared
      : await askDatabase('the gate’s database', isNew || !shared ? { url, token } : shared, dialog, askerOf)
  const value = { stockDatabases: stock, gateUrl: gate.url, gateToken: gate.token }
  const { problems, checked } = await checkDatabases(JSON.stringify(value), askerOf)
  if (checked === undefined) throw new RangeError(problems.join('; '))
  await secrets.write('redis', JSON.parse(checked.secret))
  return gate
}

/** The private keys of sessions. */
async function storeIdentity({ signIn }: StageSettings, { change, secrets, dialog }: Run): Promise<SigningKey[]> {
  const former = secrets.has('identity') ? await secrets.read('identity') : undefined
  const value = former ?? {
    sessionKeys: JSON.stringify([await newSessionKey()]),
    cookieKeys: JSON.stringify([newKeyText()]),
    clientSecret: '',
  }
  if (signIn.kind === 'issuer' && (former === undefined || change === 'client-secret')) {
    const question = 'Secret of the shop at its issuer (Enter: none, for a public client): '
    value.clientSecret = (await dialog.askHidden(question)).trim()
    await secrets.write('identity', value)
  } else if (former === undefined) await secrets.write('identity', value)
  return listIn(signingKey, value, 'sessionKeys')
}

type EdgeParts = { databases: Place; sessionKeys: readonly SigningKey[]; suffix: string }

const hostOf = (url: string): string => new URL(url).host

/** Makes the secret of the edge agree with the others. */
async function storeEdge({ databases, sessionKeys, suffix }: EdgeParts, { change, secrets, dialog, askerOf }: Run) {
  const former = secrets.has('edge') ? edgeFieldsIn(await secrets.read('edge')) : undefined
  const isThere = former !== undefined && hostOf(former.gateUrl) === hostOf(databases.url) && suffix === ''
  const users = isThere ? {} : { gateUrl: databases.url, ...(await makeGateUsers(databases, suffix, dialog, askerOf)) }
  const missing = sessionKeys.map(publicKeyOf).filter((key) => former?.publicKeys.includes(key) !== true)
  const next = {
    ...{ gateUrl: '', readerToken: '', writerToken: '', challengeKeys: [newKeyText()], ...former, ...users },
    publicKeys: [...(former?.publicKeys ?? []), ...missing],
    ...(change === 'turnstile' && { turnstile: await askTurnstile(questionsOf(dialog)) }),
  }
  if (JSON.stringify(edgeValue(next)) !== JSON.stringify(former && edgeValue(former)))
    await secrets.write('edge', edgeValue(next))
}

const members = z.object({ Users: z.array(z.unknown()) })

/** Makes the first marketer where there is a pool, and says what comes next. */
async function leftToDo(
  { name, region, signIn, alarmEmail, ...parts }: StageSettings,
  isChanged: boolean,
  { aws, dialog, makeMarketer, secrets, change }: SetupSurroundings & Run,
): Promise<string[]> {
  const outputOf = async (stack: string, at: string, output: string): Promise<string | undefined> => {
    const query = ['--query', `Stacks[0].Outputs[?OutputKey=='${output}'].OutputValue`]
    const words = ['cloudformation', 'describe-stacks', '--region', at, '--stack-name', `sluice-${name}-${stack}`]
    const found = await askAws(aws, 'does not exist', z.nullable(z.array(z.string())), ...words, ...query)
    return found?.[0]
  }
  const poolId = await outputOf('data', region, 'UserPoolId')
  if (poolId !== undefined) {
    const group = ['--region', region, '--user-pool-id', poolId, '--group-name', 'marketer', '--limit', '1']
    const { Users } = readAws(members, await aws('cognito-idp', 'list-users-in-group', ...group))
    if (Users.length === 0 || change === 'marketer') await makeMarketer(aws, { region, poolId }, dialog)
  }
  const shopUrl = await outputOf('edge', edgeHome, 'ShopUrl')
  const again = `npm run setup -- --stage ${name}`
  const left = [
    ...secretsOfStage({ name, region, ...parts })
      .filter((secret) => !secrets.has(secret.name))
      .map(({ id }) => `make the secret ${id} (docs/how-to/${id.endsWith('shops') ? 'coupons' : 'checkout'}.md)`),
    ...(isChanged || shopUrl === undefined ? [`npm run deploy -- --stage ${name}`] : []),
    ...(shopUrl === undefined ? [`confirm both e-mails that AWS sends to ${alarmEmail}`] : []),
    ...(signIn.kind === 'cognito' && poolId === undefined ? [`${again}: it makes the first marketer`] : []),
    ...(shopUrl === undefined ? [] : [`npm run smoke -- --url ${shopUrl}`, `sign in at ${shopUrl}/console/`]),
  ]
  return ['Left to do:', ...left.map((line, at) => `${at + 1}. ${line}`)]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dialog = terminalDialog()
  const around = {
    stages: { dev, small, prod },
    fileOf: choicesFile,
    aws: awsCli,
    askerOf: asker,
    dialog,
    makeMarketer,
  }
  try {
    process.exitCode = await runSetup(process.argv.slice(2), around)
  } finally {
    dialog.close()
  }
}
