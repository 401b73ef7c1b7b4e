/**
 * `npm run setup -- --stage small`: prepares a stage for `npm run deploy`. It asks for missing values, generates random
 * secrets, stores all secrets, creates the Redis users of the gate, and writes the choices to
 * `infra/settings/<stage>.json`. Safe to repeat: existing values stay. With `--change` it asks for one value again, with
 * `--rotate` it makes one step of a key rotation. After the deployment it creates the first marketer.
 *
 * Exit code 0: done. 1: AWS refused a call, or a repair is needed first. 2: an option is wrong.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { parse } from '../core/lib/parse.ts'
import type { StockDatabase } from '../core/stock/database.ts'
import { redisCommandsPerSecond } from '../infra/settings/arithmetic.ts'
import {
  answers,
  choicesFile,
  readChoices,
  type StageChoices,
  stageChoices,
  withChoices,
} from '../infra/settings/choices.ts'
import { dev } from '../infra/settings/dev.ts'
import { addressIn } from '../infra/settings/mail.ts'
import { prod } from '../infra/settings/prod.ts'
import { small } from '../infra/settings/small.ts'
import { type StageSettings, stageNamed } from '../infra/settings/stage.ts'
import { edgeHome } from '../system/edge-regions.ts'
import { asksForHelp } from './asks-for-help.ts'
import { type AwsCli, AwsCliError, awsCli, findInAws, readAws, withRemedy } from './aws-cli.ts'
import { accountChecks } from './deploy-account.ts'
import { checkDatabases, redisSecret, type SenderFor } from './deploy-databases.ts'
import { identity, readTable, tableLines } from './deploy-table.ts'
import { isMain } from './is-main.ts'
import { hasFixedPlan } from './preflight/load.ts'
import { type Dialog, terminalDialog } from './setup/dialog.ts'
import { makeMarketer } from './setup/marketer.ts'
import * as questions from './setup/questions.ts'
import * as keys from './setup/secrets.ts'
import { RequestFailed, requestSender } from './smoke/request.ts'

/** The values that `--change` asks for again. */
const changes = [
  ...(['alarm-email', 'domain', 'sender', 'stripe', 'redis', 'gate-users'] as const),
  ...(['turnstile', 'client-secret', 'marketer'] as const),
]

const usage = `npm run setup -- --stage dev|small|prod
npm run setup -- --stage STAGE --change ${changes.join('|')}
npm run setup -- --stage STAGE --rotate ${keys.rotations.join('|')} --step ${keys.rotationSteps.join('|')}

  --change  asks for one thing again
  --step    add: a new key behind the others. use: the last one becomes the first, which signs or encrypts.
            drop: the last one is removed. Deploy after each step (docs/how-to/deploy.md, "Rotate the keys").`

export type SetupPorts = {
  /** The settings in the repository, without the choices. */
  stages: Readonly<Record<string, StageSettings>>
  /** Returns the file with the choices of a stage. */
  fileOf: (stage: string) => URL
  aws: AwsCli
  senderFor: SenderFor
  dialog: Dialog
  makeMarketer: typeof makeMarketer
}

const flags = z.strictObject({
  stage: z.string(),
  change: z.optional(z.enum(changes)),
  rotate: z.optional(z.enum(keys.rotations)),
  step: z.optional(z.enum(keys.rotationSteps)),
})
type Options = Omit<z.infer<typeof flags>, 'stage'> & { stage: StageSettings }

function parseOptions(args: string[], stages: SetupPorts['stages']): Options | undefined {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({ args, options: { stage: text, change: text, rotate: text, step: text } })
    const { stage: name, ...others } = flags.parse({ ...values })
    const [stage, { change, rotate, step }] = [stageNamed(stages, name), others]
    const isConsistent = (rotate === undefined) === (step === undefined) && (change === undefined || step === undefined)
    return stage !== undefined && isConsistent ? { stage, ...others } : undefined
  } catch {
    return undefined
  }
}

/** Runs the setup, prints each step, and returns the exit code. */
export async function runSetup(args: string[], ports: SetupPorts): Promise<number> {
  const options = parseOptions(args, ports.stages)
  try {
    if (options !== undefined) await runSteps(options, ports)
    else ports.dialog.print(usage)
    return options === undefined && !asksForHelp(args) ? 2 : 0
  } catch (error) {
    if (!(error instanceof AwsCliError || error instanceof RangeError || error instanceof RequestFailed)) throw error
    ports.dialog.print(`✗ ${withRemedy(error)}`)
    return 1
  }
}

async function runSteps({ stage, change, rotate, step }: Options, ports: SetupPorts): Promise<void> {
  const { aws, dialog } = ports
  const { print } = dialog
  const file = ports.fileOf(stage.name)
  const present = readChoices(file)
  let chosen = present
  const save = (next: StageChoices) => {
    if (JSON.stringify(next) === JSON.stringify(chosen)) return
    chosen = stageChoices.parse(JSON.parse(JSON.stringify(next)))
    writeFileSync(file, `${JSON.stringify(chosen, null, 2)}\n`)
    print(`✓ infra/settings/${stage.name}.json is written: commit it`)
  }
  const revision = withChoices(stage, present).secretsRevision + 1
  // A deployment reads secrets only if the revision has changed. So it is saved first: the replacement may fail halfway.
  const beforeReplacing = () => save({ ...chosen, secretsRevision: revision })
  print(`✓ account ${readAws(identity, await aws('sts', 'get-caller-identity')).Account}`)
  const secrets = await keys.openSecrets(aws, withChoices(stage, present), { print, beforeReplacing })
  if (rotate !== undefined && step !== undefined) return print(`✓ ${await keys.rotate(rotate, step, secrets)}`)
  const run = { ...ports, change, secrets }
  const { payments, ...next } = await askChoices(stage, present, run)
  save(next)
  const settings = withChoices(stage, chosen)
  if (payments !== undefined) await secrets.write('payments', payments)
  const gate = await storeDatabases(settings, run)
  const publicKeys = keys.publicKeysIn(await storeIdentitySecret(settings, run))
  if (!secrets.has('personal')) await secrets.write('personal', { keys: JSON.stringify([keys.newKeyText()]) })
  await storeEdgeSecret(gate, publicKeys, change === 'gate-users' ? `-${revision}` : '', run)
  await printNextSteps(settings, chosen !== present, run)
}

type Run = SetupPorts & { change: Options['change']; secrets: keys.Secrets }

/** An example of the repository counts as missing. */
const isMissing = (address = '') => address === '' || address.endsWith('@example.com')

/** Asks for missing choices. Returns the content of the stage's file, and the value of the secret `payments` if it is new. */
async function askChoices(stage: StageSettings, present: StageChoices | undefined, { change, secrets, dialog }: Run) {
  const ask = questions.questionsOf(dialog)
  const { alarmEmail, domain } = withChoices(stage, present)
  const chosen: StageChoices & { payments?: keys.SecretFields } = {
    alarmEmail: undefined,
    sender: undefined,
    ...present,
  }
  if (change === 'alarm-email' || isMissing(alarmEmail))
    chosen.alarmEmail = await ask.shown('Email address for alarms', answers.alarmEmail)
  if (change === 'domain' || (present ?? domain) === undefined) chosen.domain = await questions.askDomain(ask)
  if (change === 'stripe' || !secrets.has('payments'))
    Object.assign(chosen, await questions.askPayments(stage.name, (chosen.domain ?? domain)?.name ?? '<shop>', ask))
  else if (present === undefined)
    chosen.simulatesPayments = !questions.stripeKey.safeParse((await secrets.read('payments'))?.apiKey).success
  const { isProduction, signIn } = withChoices(stage, chosen)
  const needsSender = isProduction && signIn.kind === 'cognito' && isMissing(addressIn(signIn.email?.from ?? ''))
  if (change === 'sender' || needsSender)
    chosen.sender = await ask.shown('Sender of sign-in codes (Shop <sign-in@shop.example>)', answers.sender)
  return chosen
}

/** Stores the secret of the databases and returns the gate's. A small stage starts with one for both; names stay, because sales refer to them. */
async function storeDatabases(settings: StageSettings, run: Run): Promise<questions.RedisAccess> {
  const { change, secrets, dialog, senderFor } = run
  const former = await secrets.read('redis')
  const read = former && parse(redisSecret, former)
  if (read?.ok === false)
    throw new RangeError(`${read.detail}: repair it by hand (docs/how-to/operations.md, "Add a database")`)
  const { gateUrl: url, gateToken: token } = read?.value ?? { gateUrl: '', gateToken: '' }
  if (former !== undefined && change !== 'redis') return { url, token }
  const list = read?.value.stockDatabases ?? [{ name: 'main', url, token, commandsPerSecond: redisCommandsPerSecond }]
  const place = (what: string, present: questions.RedisAccess) =>
    questions.askDatabase(what, present, dialog, senderFor)
  const stock: StockDatabase[] = []
  for (const one of list) stock.push({ ...one, ...(await place(`the database ${one.name}`, one)) })
  const shared = stock[list.findIndex((one) => one.url === url)]
  const isSeparate = former === undefined && hasFixedPlan(settings)
  const isAsked = former !== undefined || isSeparate || shared === undefined
  const gate = isAsked
    ? await place('the gate’s database', (isSeparate ? undefined : shared) ?? { url, token })
    : shared
  const value = { stockDatabases: stock, gateUrl: gate.url, gateToken: gate.token }
  const { problems, checked } = await checkDatabases(JSON.stringify(value), senderFor)
  if (checked === undefined) throw new RangeError(problems.join('; '))
  await secrets.write('redis', JSON.parse(checked.secret))
  return gate
}

async function storeIdentitySecret(
  { signIn }: StageSettings,
  { change, secrets, dialog }: Run,
): Promise<keys.SecretFields> {
  const former = await secrets.read('identity')
  const value = former ?? (await keys.newIdentity())
  const isAsked = signIn.kind === 'issuer' && (former === undefined || change === 'client-secret')
  const question = 'Secret of the shop at its issuer (Enter: none, for a public client): '
  if (isAsked) value.clientSecret = (await dialog.askHidden(question)).trim()
  if (isAsked || former === undefined) await secrets.write('identity', value)
  return value
}

const hostOf = (url: string): string => new URL(url).host

/** Updates the secret of the edge to match the others. `suffix` ends the names of new users. */
async function storeEdgeSecret(gate: questions.RedisAccess, publicKeys: readonly string[], suffix: string, run: Run) {
  const { change, secrets, dialog, senderFor } = run
  const value = await secrets.read('edge')
  const former = value && keys.readEdgeFields(value)
  if (value !== undefined && former === undefined && suffix === '')
    throw new RangeError('the secret of the edge is damaged: --change gate-users makes it again')
  const exists = former !== undefined && hostOf(former.gateUrl) === hostOf(gate.url) && suffix === ''
  const users = exists
    ? former
    : { gateUrl: gate.url, ...(await questions.makeGateUsers(gate, suffix, dialog, senderFor)) }
  const next = keys.encodeEdgeSecret({
    ...{ challengeKeys: [keys.newKeyText()], ...former, ...users },
    publicKeys: [...new Set([...(former?.publicKeys ?? []), ...publicKeys])],
    ...(change === 'turnstile' && { turnstile: await questions.askTurnstile(questions.questionsOf(dialog)) }),
  })
  if (next.config !== value?.config) await secrets.write('edge', next)
}

const members = z.object({ Users: z.array(z.unknown()) })

/** An address or the id of a pool. It is validated because people copy commands that contain it into a shell. */
const stackOutput = z.string().check(z.regex(/^\w[\w:/.-]*$/, 'must be an address or an id'))

/** Creates the first marketer if there is a pool, and prints what the account lacks and the next steps. */
async function printNextSteps(settings: StageSettings, isChanged: boolean, run: Run) {
  const { name, region, signIn, alarmEmail } = settings
  const { aws, senderFor, dialog, makeMarketer, secrets, change } = run
  const readOutput = async (stack: string, at: string, output: string): Promise<string | undefined> => {
    const query = ['--query', `Stacks[0].Outputs[?OutputKey=='${output}'].OutputValue`]
    const words = ['cloudformation', 'describe-stacks', '--region', at, '--stack-name', `sluice-${name}-${stack}`]
    return (await findInAws(aws, 'does not exist', z.nullable(z.array(stackOutput)), ...words, ...query))?.[0]
  }
  const poolId = await readOutput('data', region, 'UserPoolId')
  if (poolId !== undefined) {
    const group = ['--region', region, '--user-pool-id', poolId, '--group-name', 'marketer', '--limit', '1']
    const { Users } = readAws(members, await aws('cognito-idp', 'list-users-in-group', ...group))
    if (Users.length === 0 || change === 'marketer') await makeMarketer(aws, { region, poolId }, dialog)
  }
  const shopUrl = await readOutput('edge', edgeHome, 'ShopUrl')
  const isNew = shopUrl === undefined
  const remaining = [
    ...secrets.missing().map(({ id }) => `make the secret ${id} (docs/how-to/deploy.md, "5. Secrets")`),
    ...(isChanged || isNew ? [`npm run deploy -- --stage ${name}`] : []),
    ...(isNew ? [`confirm both emails that AWS sends to ${alarmEmail}`] : []),
    ...(signIn.kind === 'cognito' && poolId === undefined
      ? [`npm run setup -- --stage ${name}: it makes the first marketer`]
      : []),
    ...(isNew ? [] : [`npm run smoke -- --url ${shopUrl}`, `sign in at ${shopUrl}/console/`]),
  ]
  const rows = await readTable(accountChecks, { settings, aws, senderFor })
  for (const line of tableLines(rows.filter(({ state }) => state !== 'good'))) dialog.print(line)
  for (const line of ['Left to do:', ...remaining.map((text, at) => `${at + 1}. ${text}`)]) dialog.print(line)
}

if (isMain(import.meta.url)) {
  const dialog = terminalDialog()
  const ports = {
    stages: { dev, small, prod },
    fileOf: choicesFile,
    aws: awsCli,
    senderFor: requestSender,
    dialog,
    makeMarketer,
  }
  process.exitCode = await runSetup(process.argv.slice(2), ports).finally(() => dialog.close())
}
