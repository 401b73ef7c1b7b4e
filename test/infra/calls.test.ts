/**
 * Every call of AWS that the functions made in the journeys (`calls.txt`), evaluated against the synthesized
 * policy of the function's role, as IAM does it. The emulators of this machine grant everything, so nothing else
 * notices a right that is missing in the cloud.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runSimulation } from '@cloud-copilot/iam-simulate'
import { describe, expect, it } from 'vitest'
import { everyFunction, type FunctionName } from '../../system/functions.ts'
import { consumptions, queueNames, wakingQueueNames } from '../../system/queues.ts'
import { newFolder } from '../folders.ts'
import { compareRecorded, keptFile, limitedByKey, linesOf } from '../recorded-calls.ts'
import { erasedOfPerson, rareCalls } from './rare-calls.ts'
import { account, type Right, rightsOfRole } from './roles.ts'
import { stages } from './stages.ts'
import { describeStage } from './support.ts'

/** With all that settings switch on, so that it has every function. */
const described = describeStage('full')
const kept = linesOf(keptFile)

const { region } = stages.full
const bucket = (name: string) => `arn:aws:s3:::sluice-full-${name}-${account}-${region}`
/** ARNs by the names that calls use. */
const places: readonly [place: string, arn: string][] = [
  ['table', `arn:aws:dynamodb:${region}:${account}:table/sluice-full`],
  ['queue/', `arn:aws:sqs:${region}:${account}:sluice-full-`],
  ['site', bucket('site')],
  ['uploads', bucket('uploads')],
  ['key-value-store', `arn:aws:cloudfront::${account}:key-value-store/sluice-full`],
  ['event-bus', `arn:aws:events:${region}:${account}:event-bus/sluice-full`],
  ['identity', `arn:aws:ses:${region}:${account}:identity/shop.example`],
  ['secret/', `arn:aws:secretsmanager:${region}:${account}:secret:sluice/full/`],
  ['log', `arn:aws:logs:${region}:${account}:log-group:/aws/lambda`],
]

/** One of two names of a resource in the form of the other. */
function translated(name: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  const [from, to] = pairs.find(([start]) => name.startsWith(start)) ?? []
  if (from === undefined || to === undefined) throw new Error(`${name} is not known`)
  return to + name.slice(from.length)
}
const arnOf = (place: string) => translated(place, places)
const placeOf = (arn: string) =>
  translated(
    arn,
    places.map(([place, text]) => [text, place] as const),
  ).replaceAll('*', '{id}')
const lineOf = (name: string, { action, resource, keys }: Right) =>
  [name, action, placeOf(resource), keys].filter((part) => part !== undefined).join(' ')

/** The rights that let a call through, by their position; none when it is denied. */
async function rightsFor(rights: readonly Right[], action: string, called: string): Promise<number[]> {
  const [place = '', key] = called.split(' ')
  const keys: Record<string, string[]> =
    key === undefined ? {} : { 'dynamodb:LeadingKeys': [key.endsWith('#') ? `${key}1` : key] }
  const Version = '2012-10-17'
  const all = { Version, Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] }
  const Statement = rights.map(({ action: Action, resource: Resource, keys: pattern }, position) => ({
    ...{ Sid: String(position), Effect: 'Allow', Action, Resource },
    ...(pattern && { Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': pattern } } }),
  }))
  const answer = await runSimulation(
    {
      request: {
        principal: `arn:aws:iam::${account}:role/function`,
        action,
        resource: { resource: arnOf(place), accountId: account },
        contextVariables: keys,
      },
      identityPolicies: [{ name: 'role', policy: { Version, Statement } }],
      serviceControlPolicies: [{ orgIdentifier: 'ou-1', policies: [{ name: 'all', policy: all }] }],
      resourceControlPolicies: [],
    },
    {},
  )
  if (answer.resultType !== 'single') throw new Error(`${action} ${called}: ${JSON.stringify(answer)}`)
  if (answer.overallResult !== 'Allowed') return []
  const allowing = answer.result.analysis.identityAnalysis?.allowStatements ?? []
  return allowing.map(({ explain }) => Number(explain.identifier))
}

/** The platform's own calls with the role of a function: its log, its failed invocations, its event source. */
function isOfPlatform(right: string): boolean {
  const [name, action = '', resource = ''] = right.split(' ')
  if (/^logs:(?:CreateLogStream|PutLogEvents)$/.test(action)) return resource === `log/sluice-full-${name}:{id}`
  const waking = name === 'reconcile' ? 'wake' : wakingQueueNames.find((queue) => queue === name)
  const source = waking ?? queueNames.find((queue) => consumptions[queue].consumer === name)
  if (resource === `queue/${source}`) return receiving.has(action)
  if (resource === 'queue/failures') return failing.has(action)
  return resource === 'table/stream/1'
}
const failing = new Set(['sqs:SendMessage', 'sqs:GetQueueAttributes', 'sqs:GetQueueUrl'])
const receiving = new Set([
  ...['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'],
  ...['sqs:GetQueueAttributes', 'sqs:GetQueueUrl'],
])

/** Calls of a function that its role denies, and rights of the role that no call needs. */
async function judged(name: FunctionName): Promise<{ denied: string[]; unused: string[] }> {
  const rights = rightsOfRole(described, name)
  const used = new Set<number>()
  const denied: string[] = []
  for (const call of kept.filter((one) => one.startsWith(`${name} `))) {
    const [, action = '', ...called] = call.split(' ')
    const allowing = await rightsFor(rights, action, called.join(' '))
    if (allowing.length === 0) denied.push(call)
    for (const position of allowing) used.add(position)
  }
  const unused = rights
    .filter((_, position) => !used.has(position))
    .map((right) => lineOf(name, right))
    .filter((right) => !isOfPlatform(right))
  return { denied, unused }
}

describe('the role of a function', () => {
  it.each(everyFunction)('lets %s make every call that it makes here', async (name) => {
    expect((await judged(name)).denied).toEqual([])
  })

  it.each(everyFunction)('has no right that %s never uses, but those with a reason', async (name) => {
    const reasoned = new Set(rareCalls)
    expect((await judged(name)).unused.filter((right) => !reasoned.has(right))).toEqual([])
  })

  it('is not said to need a right that it lacks', () => {
    const granted = everyFunction.flatMap((name) => rightsOfRole(described, name).map((right) => lineOf(name, right)))
    expect(rareCalls.filter((call) => !granted.includes(call))).toEqual([])
  })

  it('lets delivery erase items of every kind in one batch, which one statement must allow as a whole', () => {
    const rights = rightsOfRole(described, 'delivery').filter(({ action }) => action === 'dynamodb:BatchWriteItem')
    const patterns = erasedOfPerson.map((prefix) => `${prefix}*`)
    expect(rights.some(({ statement = [] }) => patterns.every((one) => statement.includes(one)))).toBe(true)
  })

  it('is limited to keys of the table exactly where calls are kept with their keys', () => {
    const limited = everyFunction.flatMap((name) => {
      const actions = rightsOfRole(described, name).filter(({ keys }) => keys !== undefined)
      return actions.length === 0 ? [] : [[name, [...new Set(actions.map(({ action }) => action))].toSorted()]]
    })
    expect(Object.fromEntries(limited)).toEqual(limitedByKey)
  })

  it('refuses a call that it is not granted, so that these tests can fail', async () => {
    const rights = rightsOfRole(described, 'mail')
    expect(await rightsFor(rights, 'dynamodb:GetItem', 'table SALE#')).not.toEqual([])
    expect(await rightsFor(rights, 'dynamodb:GetItem', 'table ORDERS#')).toEqual([])
    expect(await rightsFor(rights, 'dynamodb:DeleteItem', 'table SALE#')).toEqual([])
  })
})

it('the calls of a run are compared with the kept ones, and kept on request', () => {
  const folder = newFolder('calls')
  const file = join(folder, 'kept', 'calls.txt')
  mkdirSync(join(folder, 'kept'))
  mkdirSync(join(folder, 'run'))
  writeFileSync(file, 'wallet dynamodb:Query table\n')
  writeFileSync(join(folder, 'run', '1.txt'), `wallet dynamodb:Query table WALLET#\n${rareCalls[0]}\n`)
  const compare = (adds: boolean) => compareRecorded(join(folder, 'run'), file, { adds })
  expect(compare(false)).toEqual([])
  // Only a right that is limited to keys makes a difference between them.
  writeFileSync(join(folder, 'run', '2.txt'), 'orders dynamodb:Scan table X#\nmail dynamodb:GetItem table X#\n')
  expect(compare(false)).toEqual(['mail dynamodb:GetItem table X#', 'orders dynamodb:Scan table'])
  expect(compare(true)).toEqual([])
  expect(compare(false)).toEqual([])
  expect(linesOf(file)).toEqual([
    'mail dynamodb:GetItem table X#',
    'orders dynamodb:Scan table',
    'wallet dynamodb:Query table',
  ])
})
