/**
 * `npm run setup -- --stage small`: all that a person knows and a stage needs before `npm run deploy`. It asks for what is
 * missing, makes the random secrets, stores all secrets, makes the Redis users of the gate, and writes what was chosen
 * to `infra/settings/<stage>.json`. May be repeated: it keeps what exists. With `--change` it asks for one thing again,
 * with `--rotate` it makes one step of a key's change. After the deployment it makes the first marketer.
 *
 * Exit code 0: done. 1: refused, or something must be repaired first. 2: an option is wrong.
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
import { type AwsCli, AwsRefused, askAws, awsCli, readAws, withRemedy } from './aws-cli.ts'
import { accountChecks } from './deploy-account.ts'
import { type AskerOf, checkDatabases, redisSecret } from './deploy-databases.ts'
import { identity, readTable, tableLines } from './deploy-table.ts'
import { isMain } from './is-main.ts'
import { hasFixedPlan } from './preflight/load.ts'
import { type Dialog, terminalDialog } from './setup/dialog.ts'
import { makeMarketer } from './setup/marketer.ts'
import * as questions from './setup/questions.ts'
import * as keys from './setup/secrets.ts'
import { AskFailed, asker } from './smoke/ask.ts'

/** What `--change` asks for again. */
const changes = [
  ...(['alarm-email', 'domain', 'sender', 'stripe', 'redis', 'gate-users'] as const),
  ...(['turnstile', 'client-secret', 'marketer'] as const),
]

const usage = `npm run setup -- --stage dev|small|prod
npm run setup -- --stage STAGE --change ${changes.join('|')}
npm run setup -- --stage STAGE --rotate ${keys.rotations.join('|')} --step ${keys.steps.join('|')}

  --change  asks for one thing again
  --step    add: a new key behind the others. use: the last one becomes the first, which signs or encrypts.
            drop: the last one is removed. Deploy after each step (docs/how-to/deploy.md, "Rotate the keys").`

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

const flags = z.strictObject({
  stage: z.string(),
  change: z.optional(z.enum(changes)),
  rotate: z.optional(z.enum(keys.rotations)),
  step: z.optional(z.enum(keys.steps)),
})
type Options = Omit<z.infer<typeof flags>, 'stage'> & { stage: StageSettings }

function optionsIn(args: string[], stages: SetupSurroundings['stages']): Options | undefined {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({ args, options: { stage: text, change: text, rotate: text, step: text } })
    const { stage: name, ...others } = flags.parse({ ...values })
    const [stage, { change, rotate, step }] = [stageNamed(stages, name), others]
    const isWhole = (rotate === undefined) === (step === undefined) && (change === undefined || step === undefined)
    return stage !== undefined && isWhole ? { stage, ...others } : undefined
  } catch {
    return undefined
  }
}

/** Asks, prints what was found and done, and returns the exit code. */
export async function runSetup(args: string[], around: SetupSurroundings): Promise<number> {
  const options = optionsIn(args, around.stages)
  try {
    if (options !== undefined) await setUp(options, around)
    else around.dialog.print(usage)
    return options === undefined && !asksForHelp(args) ? 2 : 0
  } catch (error) {
    if (!(error instanceof AwsRefused || error instanceof RangeError || error instanceof AskFailed)) throw error
    around.dialog.print(`✗ ${withRemedy(error)}`)
    return 1
  }
}

async function setUp({ stage, change, rotate, step }: Options, around: SetupSurroundings): Promise<void> {
  const { aws, dialog } = around
  const { print } = dialog
  const file = around.fileOf(stage.name)
  const present = readChoices(file)
  let chosen = present
  const save = (next: StageChoices) => {
    if (JSON.stringify(next) === JSON.stringify(chosen)) return
    chosen = stageChoices.parse(JSON.parse(JSON.stringify(next)))
    writeFileSync(file, `${JSON.stringify(chosen, null, 2)}\n`)
    print(`✓ infra/settings/${stage.name}.json is written: commit it`)
  }
  const revision = withChoices(stage, present).secretsRevision + 1
  // A deployment reads secrets only where the revision has changed, so it comes first: the replacement may fail halfway.
  const beforeReplacing = () => save({ ...chosen, secretsRevision: revision })
  print(`✓ account ${readAws(identity, await aws('sts', 'get-caller-identity')).Account}`)
  const secrets = await keys.openSecrets(aws, withChoices(stage, present), { print, beforeReplacing })
  if (rotate !== undefined && step !== undefined) return print(`✓ ${await keys.rotate(rotate, step, secrets)}`)
  const run = { ...around, change, secrets }
  const { payments, ...next } = await askChoices(stage, present, run)
  save(next)
  const settings = withChoices(stage, chosen)
  if (payments !== undefined) await secrets.write('payments', payments)
  const gate = await storeDatabases(settings, run)
  const publicKeys = keys.publicKeysIn(await storeIdentity(settings, run))
  if (!secrets.has('personal')) await secrets.write('personal', { keys: JSON.stringify([keys.newKeyText()]) })
  await storeEdge(gate, publicKeys, change === 'gate-users' ? `-${revision}` : '', run)
  await finish(settings, chosen !== present, run)
}

type Run = SetupSurroundings & { change: Options['change']; secrets: keys.Secrets }

/** An example of the repository counts as missing. */
const isMissing = (address = '') => address === '' || address.endsWith('@example.com')

/** What the file of the stage should have, and the value of the secret `payments` where it is new. */
async function askChoices(stage: StageSettings, present: StageChoices | undefined, { change, secrets, dialog }: Run) {
  const ask = questions.questionsOf(dialog)
  const { alarmEmail, domain } = withChoices(stage, present)
  const chosen: StageChoices & { payments?: keys.Value } = { alarmEmail: undefined, sender: undefined, ...present }
  if (change === 'alarm-email' || isMissing(alarmEmail))
    chosen.alarmEmail = await ask.shown('E-mail address for alarms', answers.alarmEmail)
  if (change === 'domain' || (present ?? domain) === undefined) chosen.domain = await questions.askDomain(ask)
  if (change === 'stripe' || !secrets.has('payments'))
    Object.assign(chosen, await questions.askPayments(stage.name, (chosen.domain ?? domain)?.name ?? '<shop>', ask))
  else if (present === undefined)
    chosen.simulatesPayments = !questions.stripeKey.safeParse((await secrets.read('payments'))?.apiKey).success
  const { isProduction, signIn } = withChoices(stage, chosen)
  const isUnsent = isProduction && signIn.kind === 'cognito' && isMissing(addressIn(signIn.email?.from ?? ''))
  if (change === 'sender' || isUnsent)
    chosen.sender = await ask.shown('Sender of sign-in codes (Shop <sign-in@shop.example>)', answers.sender)
  return chosen
}

/** The gate's database. A small stage begins with one for stock and gate. The list keeps its names, which sales have. */
async function storeDatabases(settings: StageSettings, run: Run): Promise<questions.Place> {
  const { change, secrets, dialog, askerOf } = run
  const former = await secrets.read('redis')
  const read = former && parse(redisSecret, former)
  if (read?.ok === false)
    throw new RangeError(`${read.detail}: repair it by hand (docs/how-to/operations.md, "Add a database")`)
  const { gateUrl: url, gateToken: token } = read?.value ?? { gateUrl: '', gateToken: '' }
  if (former !== undefined && change !== 'redis') return { url, token }
  const list = read?.value.stockDatabases ?? [{ name: 'main', url, token, commandsPerSecond: redisCommandsPerSecond }]
  const place = (what: string, present: questions.Place) => questions.askDatabase(what, present, dialog, askerOf)
  const stock: StockDatabase[] = []
  for (const one of list) stock.push({ ...one, ...(await place(`the database ${one.name}`, one)) })
  const shared = stock[list.findIndex((one) => one.url === url)]
  const isApart = former === undefined && hasFixedPlan(settings)
  const isAsked = former !== undefined || isApart || shared === undefined
  const gate = isAsked ? await place('the gate’s database', (isApart ? undefined : shared) ?? { url, token }) : shared
  const value = { stockDatabases: stock, gateUrl: gate.url, gateToken: gate.token }
  const { problems, checked } = await checkDatabases(JSON.stringify(value), askerOf)
  if (checked === undefined) throw new RangeError(problems.join('; '))
  await secrets.write('redis', JSON.parse(checked.secret))
  return gate
}

async function storeIdentity({ signIn }: StageSettings, { change, secrets, dialog }: Run): Promise<keys.Value> {
  const former = await secrets.read('identity')
  const value = former ?? (await keys.newIdentity())
  const isAsked = signIn.kind === 'issuer' && (former === undefined || change === 'client-secret')
  const question = 'Secret of the shop at its issuer (Enter: none, for a public client): '
  if (isAsked) value.clientSecret = (await dialog.askHidden(question)).trim()
  if (isAsked || former === undefined) await secrets.write('identity', value)
  return value
}

const hostOf = (url: string): string => new URL(url).host

/** Makes the secret of the edge agree with the others. `suffix` is the end of the names of new users. */
async function storeEdge(gate: questions.Place, publicKeys: readonly string[], suffix: string, run: Run) {
  const { change, secrets, dialog, askerOf } = run
  const value = await secrets.read('edge')
  const former = value && keys.edgeFieldsIn(value)
  if (value !== undefined && former === undefined && suffix === '')
    throw new RangeError('the secret of the edge is damaged: --change gate-users makes it again')
  const isThere = former !== undefined && hostOf(former.gateUrl) === hostOf(gate.url) && suffix === ''
  const users = isThere
    ? former
    : { gateUrl: gate.url, ...(await questions.makeGateUsers(gate, suffix, dialog, askerOf)) }
  const next = keys.edgeValue({
    ...{ challengeKeys: [keys.newKeyText()], ...former, ...users },
    publicKeys: [...new Set([...(former?.publicKeys ?? []), ...publicKeys])],
    ...(change === 'turnstile' && { turnstile: await questions.askTurnstile(questions.questionsOf(dialog)) }),
  })
  if (next.config !== value?.config) await secrets.write('edge', next)
}

const members = z.object({ Users: z.array(z.unknown()) })

/** An address or the id of a pool: a person copies the commands that have it into a shell. */
const stackOutput = z.string().check(z.regex(/^\w[\w:/.-]*$/, 'must be an address or an id'))

/** Makes the first marketer where there is a pool, and says what the account lacks and what comes next. */
async function finish(settings: StageSettings, isChanged: boolean, run: Run) {
  const { name, region, signIn, alarmEmail } = settings
  const { aws, askerOf, dialog, makeMarketer, secrets, change } = run
  const outputOf = async (stack: string, at: string, output: string): Promise<string | undefined> => {
    const query = ['--query', `Stacks[0].Outputs[?OutputKey=='${output}'].OutputValue`]
    const words = ['cloudformation', 'describe-stacks', '--region', at, '--stack-name', `sluice-${name}-${stack}`]
    return (await askAws(aws, 'does not exist', z.nullable(z.array(stackOutput)), ...words, ...query))?.[0]
  }
  const poolId = await outputOf('data', region, 'UserPoolId')
  if (poolId !== undefined) {
    const group = ['--region', region, '--user-pool-id', poolId, '--group-name', 'marketer', '--limit', '1']
    const { Users } = readAws(members, await aws('cognito-idp', 'list-users-in-group', ...group))
    if (Users.length === 0 || change === 'marketer') await makeMarketer(aws, { region, poolId }, dialog)
  }
  const shopUrl = await outputOf('edge', edgeHome, 'ShopUrl')
  const isNew = shopUrl === undefined
  const left = [
    ...secrets.missing().map(({ id }) => `make the secret ${id} (docs/how-to/deploy.md, "5. Secrets")`),
    ...(isChanged || isNew ? [`npm run deploy -- --stage ${name}`] : []),
    ...(isNew ? [`confirm both e-mails that AWS sends to ${alarmEmail}`] : []),
    ...(signIn.kind === 'cognito' && poolId === undefined
      ? [`npm run setup -- --stage ${name}: it makes the first marketer`]
      : []),
    ...(isNew ? [] : [`npm run smoke -- --url ${shopUrl}`, `sign in at ${shopUrl}/console/`]),
  ]
  const rows = await readTable(accountChecks, { settings, aws, askerOf })
  for (const line of tableLines(rows.filter(({ state }) => state !== 'good'))) dialog.print(line)
  for (const line of ['Left to do:', ...left.map((text, at) => `${at + 1}. ${text}`)]) dialog.print(line)
}

if (isMain(import.meta.url)) {
  const dialog = terminalDialog()
  const around = {
    stages: { dev, small, prod },
    fileOf: choicesFile,
    aws: awsCli,
    askerOf: asker,
    dialog,
    makeMarketer,
  }
  process.exitCode = await runSetup(process.argv.slice(2), around).finally(() => dialog.close())
}
