/** Emails to shoppers: nothing of them is in a stage without the setting, and all of it in one with it. */

import { describe, expect, it } from 'vitest'
import { joined } from '../../core/lib/fold.ts'
import { leaseMs } from '../../functions/table/people/mail-log.ts'
import { refuseBadSettings } from '../../infra/settings/problems.ts'
import { prod } from '../../infra/settings/prod.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { functions } from '../../options/registry/functions.ts'
import { functionTimeoutSeconds } from '../../system/functions.ts'
import { mailConsumption, mailFilters } from '../../system/mail.ts'
import type { StreamFilter } from '../../system/seams.ts'
import { mail } from './stages.ts'
import { describeStage, functionNamed, type JsonObject, listOf, only, stringsIn, variablesOf } from './support.ts'

const off = describeStage()
const on = describeStage('issuer')

type Described = typeof on

const tableIn = (described: Described) => only(described.resources('data', 'AWS::DynamoDB::GlobalTable')).Properties

const streamMappingsIn = (described: Described) =>
  Object.values(described.resources('app', 'AWS::Lambda::EventSourceMapping')).filter(
    ({ Properties }) =>
      stringsIn(Properties.EventSourceArn).join().includes('Stream') &&
      stringsIn(Properties.FunctionName).join().includes('mail'),
  )

const statementsIn = (described: Described) =>
  Object.values(described.resources('app', 'AWS::IAM::Policy')).flatMap(
    ({ Properties }) => (Properties.PolicyDocument as { Statement: JsonObject[] }).Statement,
  )

describe('a stage without the setting', () => {
  it('has no stream, no function and no right to send emails', () => {
    expect(tableIn(off).StreamSpecification).toBeUndefined()
    expect(functionNamed(off, 'mail')).toBeUndefined()
    expect(streamMappingsIn(off)).toEqual([])
    expect(JSON.stringify(statementsIn(off))).not.toContain('ses:')
  })

  it('has no alarm and no graph of emails', () => {
    const names = (described: Described) =>
      Object.values(described.resources('app', 'AWS::CloudWatch::Alarm')).map(({ Properties }) =>
        String(Properties.AlarmName).replace(/^sluice-\w+?-/, ''),
      )
    expect(names(off).filter((name) => /mail/.test(name))).toEqual([])
    const added = names(on).filter((name) => !names(off).includes(name) && !/event/.test(name))
    expect(added.toSorted()).toEqual(['crashed-mail', 'late-mails', 'rejected-mails'])
    const graphs = (described: Described) => JSON.stringify(described.resources('app', 'AWS::CloudWatch::Dashboard'))
    expect(graphs(off)).not.toContain('MailsSent')
    expect(graphs(on)).toContain('MailsSent')
  })
})

describe('a stage with the setting', () => {
  it('has the stream of new images, and its reader with retries, halved batches and a place for what fails', () => {
    expect(tableIn(on).StreamSpecification).toEqual({ StreamViewType: 'NEW_IMAGE' })
    const [mapping, ...more] = streamMappingsIn(on)
    expect(more).toEqual([])
    expect(mapping?.Properties).toMatchObject({
      BatchSize: mailConsumption.batchSize,
      MaximumBatchingWindowInSeconds: mailConsumption.windowSeconds,
      MaximumRecordAgeInSeconds: mailConsumption.maxAgeHours * 3600,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      StartingPosition: 'TRIM_HORIZON',
    })
    expect(stringsIn(mapping?.Properties.DestinationConfig).join()).toContain('Failures')
    expect(mapping?.Properties.FilterCriteria).toEqual({
      Filters: mailFilters.map((filter) => ({ Pattern: JSON.stringify(filter) })),
    })
  })

  it('invokes the function for orders and what options send, and for no other item', () => {
    expect(mailFilters.map(({ eventName, dynamodb }) => [eventName, dynamodb.Keys])).toEqual([
      [['INSERT', 'MODIFY'], { pk: { S: [{ prefix: 'ORDERS#' }] } }],
      ...joined(functions, 'mailFilters').map(({ eventName, dynamodb }: StreamFilter) => [eventName, dynamodb.Keys]),
    ])
  })

  it('lets the function send from its own domain alone', () => {
    const [right, ...more] = statementsIn(on).filter(({ Action }) => listOf(Action).includes('ses:SendEmail'))
    expect(more).toEqual([])
    const resources = listOf(right?.Resource).map((resource) => stringsIn(resource).join(''))
    const names = resources.map((resource) => resource.replace(/^.*:(?=identity|configuration)/, ''))
    expect(names.toSorted()).toEqual(['configuration-set/shop', 'identity/shop.example'])
  })

  it('gives the function its settings, and leaves out no variable', () => {
    const found = functionNamed(on, 'mail')
    const variables = variablesOf(found)
    expect(JSON.parse(String(variables.MAIL))).toEqual({ timeZone: 'UTC', ...mail })
    expect(Object.keys(variables)).toEqual(expect.arrayContaining(['TABLE_NAME', 'PERSONAL_KEYS', 'SHOP_URL', 'MAIL']))
    expect(found?.Properties.ReservedConcurrentExecutions).toBe(prod.functions.mail.reserved)
  })

  it('has a lease of an email that outlasts an invocation', () => {
    expect(leaseMs).toBeGreaterThan(functionTimeoutSeconds('mail') * 1000)
  })
})

describe('settings that cannot work', () => {
  const problemsOf =
    (change: Partial<StageSettings['mail']>, stage: StageSettings = prod) =>
    () =>
      refuseBadSettings({ ...stage, mail: { ...mail, ...change } })

  it.each([
    [{ from: 'the shop' }, 'mail.from is not an email address'],
    [{ from: 'Shop <orders@shop.example>\r\nBcc: all@example.com' }, 'mail.from is not an email address'],
    [{ replyTo: 'help@' }, 'mail.replyTo is not an email address'],
    [{ from: 'Shop\0 <orders@shop.example>' }, 'mail.from is not an email address'],
    [{ from: '"Shop <orders@shop.example>' }, 'mail.from is not an email address'],
    [{ from: `${'秒'.repeat(101)} <orders@shop.example>` }, 'mail.from is not an email address'],
    [{ from: 'Shop <jürgen@shop.example>' }, 'mail.from is not an email address'],
    [{ timeZone: 'Mars/Olympus' }, 'mail.timeZone is not an IANA time zone'],
  ])('are refused: %j', (change, problem) => {
    expect(problemsOf(change)).toThrow(problem)
    expect(problemsOf({})).not.toThrow()
  })

  it('include a function without a reservation beside the gate', () => {
    const functions = { ...prod.functions, mail: { memoryMb: 512 } }
    expect(problemsOf({}, { ...prod, functions })).toThrow('functions.mail.reserved is missing')
  })
})
