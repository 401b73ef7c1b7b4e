/** The deployed functions: the bundles that run here, their settings, and their triggers. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dist } from '../../build.ts'
import { immutable, pageCaching } from '../../functions/lib/shop/shop.ts'
import { prod } from '../../infra/settings/prod.ts'
import { environmentAt } from '../../proof/bench/edge/environment.ts'
import {
  allFunctions,
  everyFunction,
  type FunctionName,
  functionTimeoutSeconds,
  httpFunctions,
  paymentSimulator,
  reconcileRate,
  scheduledFunctions,
} from '../../system/functions.ts'
import { consumptions, queueNames, visibilitySeconds, wakingQueues } from '../../system/queues.ts'
import { hashedPattern, isHashed } from '../../system/site-objects.ts'
import { aHandler, bundleOf, importAll, importEach } from '../functions/imported-bundles.ts'
import { environmentBytes } from './environment-bytes.ts'
import {
  assetOf,
  describeStage,
  folderOf,
  functionNamed,
  type JsonObject,
  listOf,
  only,
  type Resource,
  retained,
  type StackName,
  stackNames,
  stringsIn,
  variablesOf,
} from './support.ts'

const described = describeStage()
const ours = Object.entries(described.resources('app', 'AWS::Lambda::Function')).filter(
  ([, { Properties }]) => Properties.FunctionName !== undefined,
)

const deployed = (name: FunctionName): Resource => {
  const found = functionNamed(described, name)
  if (found === undefined) throw new Error(`no template has ${name}`)
  return found
}

const environmentOf = (name: FunctionName, stage = described) => variablesOf(functionNamed(stage, name))

/** Every file of a folder, at any depth. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()

function expectCopy(folder: string, of: string): void {
  expect(filesIn(folder)).toEqual(filesIn(of))
  for (const file of filesIn(of))
    expect(readFileSync(join(folder, file)).equals(readFileSync(join(of, file))), file).toBe(true)
}

describe('every function of the system', () => {
  it('is deployed, and no other function of ours', () => {
    const names = ours.map(([, { Properties }]) => Properties.FunctionName)
    expect(names.toSorted()).toEqual(allFunctions.map((name) => `sluice-prod-${name}`).toSorted())
    expect(readdirSync(join(dist, 'functions')).toSorted()).toEqual([...everyFunction, paymentSimulator].toSorted())
  })

  it.each(allFunctions)('%s is the bundle that the local system runs, byte for byte', (name) => {
    const local = join(dist, 'functions', name)
    expectCopy(assetOf(deployed(name)), local)
    expect(readdirSync(local)).toContain('handler.mjs.map')
  })

  it('runs on Node 24 on arm64 with its local timeout', () => {
    const same = { Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'handler.handler' }
    for (const name of allFunctions)
      expect(deployed(name).Properties, name).toMatchObject({ ...same, Timeout: functionTimeoutSeconds(name) })
  })

  it('gets all variables that its handler reads, and no secret that it does not need', async () => {
    const imported = await importAll(allFunctions, () => lambda)
    for (const name of allFunctions) {
      const given = Object.keys(environmentOf(name)).filter((variable) => !surroundings.has(variable))
      const result = imported[name]
      // A function that misses no variable starts.
      const problems = result !== undefined && 'message' in result ? (result.problems ?? [result.message]) : []
      const missing = problems.map((problem) => problem.split(' ')[0])
      expect(given.toSorted(), name).toEqual(missing.toSorted())
    }
  })

  it('redeems coupons and sells for the checkout of a shop only where the stage says so, and still has room (S7)', async () => {
    const full = describeStage('full')
    const own = ['CHECKOUT_KEYS', 'SHOP_KEYS', 'UNDO_MINUTES']
    const added = allFunctions.map((name) => {
      const before = Object.keys(environmentOf(name))
      expect(before.filter((variable) => own.includes(variable))).toEqual([])
      return [name, Object.keys(environmentOf(name, full)).filter((variable) => !before.includes(variable))]
    })
    expect(added.filter(([, variables]) => variables?.length !== 0)).toEqual([
      ['order-changes', own],
      ['delivery', ['EVENT_BUS', 'SENDS_EVENTS', 'SENDS_MAILS', 'SHOP_URL']],
      ['payments', ['ORDERS_QUEUE_URL', 'SHOP_KEYS']],
      ['control', ['CHECKOUT', 'SENDS_MAILS']],
      ['reconcile', ['SENDS_MAILS']],
    ])
    expect(environmentOf('wallet', describeStage('issuer'))).toMatchObject({
      BALANCE_URL: 'https://shop.example.com/credit',
    })
    const variables = environmentOf('order-changes', full)
    expect(variables).toMatchObject({ UNDO_MINUTES: '15' })
    expect(environmentBytes(variables)).toBeLessThanOrEqual(4096)
    expect(await importEach([{ file: bundleOf('order-changes'), env: settled(variables) }])).toEqual([aHandler])
  })

  it('starts with its variables, and has no callback', async () => {
    const imported = await importAll(allFunctions, (name) => settled(environmentOf(name)))
    expect(imported).toEqual(Object.fromEntries(allFunctions.map((name) => [name, aHandler])))
  })

  it('has its secrets encrypted with the stage’s own key, which its role may use (environment-key.test.ts)', () => {
    const keys = Object.entries(described.resources('app', 'AWS::KMS::Key'))
    const found = keys.find(([, { Properties }]) => /functions/.test(String(Properties.Description)))
    if (found === undefined) throw new Error('there is no key of environments')
    const [id, { Properties: key }] = found
    const { Statement } = key.KeyPolicy as { Statement: JsonObject[] }
    const admitted = stringsIn(Statement.map(({ Condition }) => Condition))
    for (const [, { Properties }] of ours) {
      expect(Properties.KmsKeyArn, String(Properties.FunctionName)).toEqual({ 'Fn::GetAtt': [id, 'Arn'] })
      const [role] = (Properties.Role as { 'Fn::GetAtt': string[] })['Fn::GetAtt']
      expect(admitted, String(Properties.FunctionName)).toContain(role)
    }
  })

  it('is invoked by its alias only, whose former versions stay for a rollback', () => {
    const versions = Object.values(described.resources('app', 'AWS::Lambda::Version'))
    for (const { Properties, DeletionPolicy, UpdateReplacePolicy } of versions) {
      expect([DeletionPolicy, UpdateReplacePolicy], JSON.stringify(Properties)).toEqual(retained)
    }
    expect(Object.keys(described.resources('app', 'AWS::Lambda::Alias'))).toHaveLength(allFunctions.length)
    const urls = Object.values(described.resources('app', 'AWS::Lambda::Url'))
    expect(urls.length).toBe(httpFunctions.length)
    for (const { Properties } of urls) expect(Properties).toMatchObject({ Qualifier: 'live', AuthType: 'AWS_IAM' })
  })

  it.each(['prod', 'dev'] as const)('has another version in %s once its shop has an address', (kind) => {
    const withAddress = (type: string) =>
      Object.entries(describeStage(kind).resources('app', type)).filter(([, one]) => JSON.stringify(one).includes(Ref))
    const Ref = '{"Ref":"ShopUrl"}'
    const versions = withAddress('AWS::Lambda::Version').map(([, { Properties }]) => Properties)
    expect(versions.length).toBeGreaterThan(0)
    const functions = withAddress('AWS::Lambda::Function').map(([id]) => ({ FunctionName: { Ref: id } }))
    expect(versions).toEqual(functions.map((one) => ({ ...one, Description: JSON.parse(Ref) })))
  })

  it('sends failed asynchronous invocations to a queue, without a retry', () => {
    const configs = Object.values(described.resources('app', 'AWS::Lambda::EventInvokeConfig'))
    // A setting of the function itself would apply to its unpublished version only.
    const invoked = configs.map(({ Properties }) => /Ref,(\w+)Live/.exec(stringsIn(Properties.Qualifier).join())?.[1])
    const ofOptions = scheduledFunctions.map(([name]) => name)
    expect(invoked.toSorted()).toEqual(['canary', 'reconcile', ...ofOptions].toSorted())
    for (const { Properties } of configs) {
      expect(Properties).toMatchObject({
        ...{ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
        DestinationConfig: { OnFailure: { Destination: expect.anything() } },
      })
    }
  })

  it('writes a log with an expiry', () => {
    const logs = Object.values(described.resources('app', 'AWS::Logs::LogGroup')).map(({ Properties }) => Properties)
    const ofFunctions = logs.filter(({ LogGroupName }) => /^\/aws\/lambda\/sluice-prod-/.test(String(LogGroupName)))
    expect(ofFunctions.length).toBe(allFunctions.length)
    for (const { RetentionInDays } of ofFunctions) expect(RetentionInDays).toBe(prod.keep.logDays)
  })

  it('has the reserved concurrency of the settings', () => {
    for (const name of allFunctions) {
      const { memoryMb, reserved } = prod.functions[name]
      const { MemorySize, ReservedConcurrentExecutions } = deployed(name).Properties
      expect([MemorySize, ReservedConcurrentExecutions], name).toEqual([memoryMb, reserved])
    }
  })

  it('has provisioned environments only where the settings pay for them', () => {
    const ready = (one = described) =>
      Object.values(one.resources('app', 'AWS::Lambda::Alias')).flatMap(({ Properties }) =>
        Properties.ProvisionedConcurrencyConfig === undefined ? [] : [Properties.ProvisionedConcurrencyConfig],
      )
    expect(ready()).toEqual([])
    const { provisioned } = prod.functions.reserve
    expect(provisioned).toBeGreaterThan(0)
    expect(ready(describeStage('full'))).toEqual([{ ProvisionedConcurrentExecutions: provisioned }])
  })
})

/** Variables that every function has. */
const surroundings = new Set([
  'POWERTOOLS_SERVICE_NAME',
  'POWERTOOLS_METRICS_NAMESPACE',
  'POWERTOOLS_LOG_LEVEL',
  'UPSTASH_DISABLE_TELEMETRY',
  'SECRETS_REVISION',
])

/** Variables set by Lambda itself. */
const lambda = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' }

/** Variables of sign-in as they may be once they are deployed. */
const signInVariables: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(environmentAt('https://there.example.com')).filter(([name]) => name.startsWith('SIGN_IN')),
)

/** Variables as they may be once they are deployed, and those of Lambda. */
const settled = (variables: Record<string, unknown>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, settledValue(name, value)])),
  ...lambda,
})

function settledValue(variable: string, value: unknown): string {
  if (variable === 'WEBHOOK_SECRET') return `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const ofSignIn = signInVariables[variable]
  if (ofSignIn !== undefined) return ofSignIn
  if (variable === 'SHOP_KEYS') return JSON.stringify({ till: 'd'.repeat(43) })
  if (variable === 'CHECKOUT_KEYS') return JSON.stringify(['d'.repeat(43)])
  if (variable === 'PERSONAL_KEYS') return JSON.stringify([Buffer.alloc(32, 7).toString('base64')])
  const isOpen = typeof value !== 'string' || value.includes('{{resolve:')
  if (!isOpen) return value
  return variable.endsWith('_URL') ? 'https://there.example.com/' : 'settled'
}

describe('the queues', () => {
  it.each(queueNames)(
    '%s are passed to their consumer in whole batches, and one bad message stays behind alone',
    (name) => {
      const { batchSize, windowSeconds } = consumptions[name]
      const mappings = Object.values(described.resources('app', 'AWS::Lambda::EventSourceMapping'))
      expect(mappings.map(({ Properties }) => Properties)).toContainEqual(
        expect.objectContaining({
          BatchSize: batchSize,
          MaximumBatchingWindowInSeconds: windowSeconds,
          FunctionResponseTypes: ['ReportBatchItemFailures'],
          ScalingConfig: { MaximumConcurrency: prod.consumers[name] },
        }),
      )
    },
  )

  it('are no more than those and the one that wakes reconcile, and every mapping reports single failures', () => {
    const mappings = Object.values(described.resources('app', 'AWS::Lambda::EventSourceMapping'))
    expect(mappings.length).toBe(queueNames.length + 1)
    for (const { Properties } of mappings) expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures'])
  })

  it('may pass a long timer through its queue any number of times, which Lambda would stop as a loop; others may not', () => {
    for (const name of allFunctions) {
      const allowed = name === 'cancel-unpaid' ? 'Allow' : undefined
      expect(deployed(name).Properties.RecursiveLoop, name).toBe(allowed)
    }
  })

  it('leave the schedule a run of reconcile however many wake it, and keep no wake until its next run', () => {
    const { concurrency, retentionSeconds, visibilitySeconds: hidden } = wakingQueues.wake
    expect(prod.functions.reconcile.reserved).toBeGreaterThan(concurrency)
    expect(retentionSeconds).toBeLessThanOrEqual(reconcileRate.everyMinutes * 60)
    expect(hidden).toBe(6 * functionTimeoutSeconds('reconcile'))
    const mappings = Object.values(described.resources('app', 'AWS::Lambda::EventSourceMapping'))
    const ofWakes = mappings.find(({ Properties }) => JSON.stringify(Properties.FunctionName).includes('reconcile'))
    expect(ofWakes?.Properties).toMatchObject({ BatchSize: 10, ScalingConfig: { MaximumConcurrency: concurrency } })
    expect(ofWakes?.Properties).not.toHaveProperty('MaximumBatchingWindowInSeconds')
  })

  it('hide a message for six times the timeout of its consumer, and the window', () => {
    for (const name of queueNames) {
      const { consumer, windowSeconds } = consumptions[name]
      expect(visibilitySeconds, name).toBeGreaterThanOrEqual(6 * functionTimeoutSeconds(consumer) + windowSeconds)
    }
  })
})

it('the scheduled repair runs every minute through the alias, and a failed start is kept', () => {
  const schedules = Object.values(described.resources('app', 'AWS::Scheduler::Schedule'))
  const ofFunction = (name: string) =>
    schedules.find(({ Properties }) => String(Properties.Name).endsWith(`-${name}`))?.Properties
  expect(schedules).toHaveLength(1 + scheduledFunctions.length)
  for (const [name, { rate }] of scheduledFunctions)
    expect(ofFunction(name)).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      Target: { Arn: { Ref: expect.stringMatching(new RegExp(`^${name}Live`)) }, Input: JSON.stringify(rate.input) },
    })
  expect(ofFunction('reconcile')).toMatchObject({
    ...{ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' },
    Target: {
      ...{ Arn: { Ref: expect.stringMatching(/^reconcileLive/) }, Input: '{"tickMs":58000}' },
      DeadLetterConfig: { Arn: expect.anything() },
    },
  })
})

it('the keys of reservations are published at once in a stage with a checkout, by the function that signs, and again', () => {
  const schedules = Object.values(describeStage('full').resources('app', 'AWS::Scheduler::Schedule'))
  const [keys] = schedules.filter(({ Properties }) => String(Properties.Name).endsWith('-reservation-keys'))
  expect(keys?.Properties).toMatchObject({
    ...{ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' },
    Target: {
      ...{ Arn: { Ref: expect.stringMatching(/^orderchangesLive/) }, Input: '{"publishKeys":true}' },
      DeadLetterConfig: { Arn: expect.anything() },
    },
  })
  // A schedule with a start would wait for it.
  expect(keys?.Properties).not.toHaveProperty('StartDate')
  expect(schedules).toHaveLength(3)
})

it('the canary checks the shop every minute at its address, once the distribution and the pages exist', () => {
  const schedules = described.resources('site', 'AWS::Scheduler::Schedule')
  const { Properties, DependsOn } = only(schedules)
  expect(Properties).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' })
  const { Input, Arn } = Properties.Target as { Input: unknown; Arn: unknown }
  expect(stringsIn(Input).join('')).toMatch(/"url":"https:\/\/|sluice-prod-edge/)
  expect(stringsIn(Arn).join('')).toMatch(/canaryLive/)
  expect(DependsOn?.join()).toContain('ContentPages')
})

it('pages go live after the gate that serves their calls, and after the functions allow it', () => {
  // With a domain of its own the shop's address is known without the distribution, and nothing
  // else would order the stacks.
  for (const { stack } of [described, describeStage('full')]) {
    const earlier = (of: StackName) => stack(of).dependencies
    expect(earlier('site')).toEqual(expect.arrayContaining([stack('edge').id, stack('access').id]))
    expect(earlier('edge')).toContain(stack('app').id)
  }
  const bringsPages = ({ Properties }: Resource) => listOf(Properties.Include).includes('console/*.html')
  for (const stack of stackNames) {
    const copies = Object.values(described.resources(stack, 'Custom::CDKBucketDeployment'))
    expect(copies.some(bringsPages), stack).toBe(stack === 'site')
  }
})

/** The file that names the commit is beside the site, and differs in each deployment. */
const copiesOfSite = (['app', 'site'] as const).flatMap((stack) =>
  Object.entries(described.resources(stack, 'Custom::CDKBucketDeployment'))
    .filter(([id]) => !id.includes('Release'))
    .map(([, copy]) => copy),
)

describe('the built site', () => {
  const site = join(dist, 'site')
  const built = filesIn(site)

  it('is copied without touching published objects: nothing is pruned, no page that a function writes is replaced', () => {
    expect(copiesOfSite.length).toBe(3)
    for (const { Properties } of copiesOfSite) expect(Properties.Prune).toBe(false)
    expect(built).not.toContain('index.html')
    expect(built.filter((file) => file.startsWith('sales'))).toEqual([])
  })

  it('is the one that the local system serves, byte for byte', () => {
    for (const { Properties } of copiesOfSite) {
      const [key, ...more] = Properties.SourceObjectKeys as string[]
      expect(more).toEqual([])
      expectCopy(folderOf(key ?? ''), site)
    }
  })

  it('is there before the functions that write pages which name its files', () => {
    const aliases = Object.entries(described.resources('app', 'AWS::Lambda::Alias'))
    for (const name of ['control', 'reconcile']) {
      const [, alias] = aliases.find(([id]) => id.startsWith(`${name}Live`)) ?? []
      expect(stringsIn(alias?.DependsOn).join(), name).toMatch(/ContentHashed\w*,\d,Content/)
    }
  })

  it('is cached for ever where its names allow it, and both ways of copying agree on which those are', () => {
    const files = built.map((file) => basename(file))
    for (const file of files) expect(/^.*[.].{8}[.].*$/.test(file), file).toBe(isHashed(file))
    expect(files.filter(isHashed).length).toBeGreaterThan(10)
    expect(hashedPattern).toBe('*.????????.*')
    const caching = copiesOfSite.map(({ Properties: { Include, Exclude, SystemMetadata } }) => [
      ...[Include, Exclude, (SystemMetadata as JsonObject)['cache-control']],
    ])
    expect(caching).toEqual([
      [[hashedPattern], ['*'], immutable],
      [undefined, [hashedPattern, '*.html'], pageCaching],
      [['console/*.html', 'developers/*.html'], ['*'], pageCaching],
    ])
  })
})
