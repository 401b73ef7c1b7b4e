/** The record of sent emails. */
import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OrderId } from '../../core/ids.ts'
import { orderMailKey } from '../../functions/table/keys.ts'
import { dynamoMailLog, leaseMs, type MailId, type MailLog } from '../../functions/table/people/mail-log.ts'
import { onWireAt } from '../../proof/simulation/dynamodb/wire.ts'
import { orderId } from '../functions/people/mail-rig.ts'
import { useDynamoTable } from './cloud.ts'

const cloud = useDynamoTable()

let now = Date.UTC(2026, 10, 22)
let revision = 0
const nextId = (): MailId => {
  revision += 1
  return { orderId, revision }
}

let log: MailLog
beforeAll(() => {
  log = dynamoMailLog(cloud.table, () => now)
})

describe('the record of sent emails', () => {
  it('gives an email to one sender, until its lease is over', async () => {
    const id = nextId()
    expect(await log.begin(id, true)).toBe('begun')
    expect(await log.begin(id, true)).toBe('leased')
    now += leaseMs - 1
    expect(await log.begin(id, true)).toBe('leased')
    now += 1
    expect(await log.begin(id, true)).toBe('begun')
  })

  it('never gives a finished one again, also when its lease is over', async () => {
    const id = nextId()
    await log.begin(id, true)
    await log.finish(id, 'sent')
    now += leaseMs
    expect(await log.begin(id, true)).toBe('done')
  })

  it('gives a released one again at once', async () => {
    const id = nextId()
    await log.begin(id, true)
    await log.release(id)
    expect(await log.begin(id, true)).toBe('begun')
  })

  it('gives one that must not be repeated again only after a release', async () => {
    const id = nextId()
    expect(await log.begin(id, false)).toBe('begun')
    expect(await log.begin(id, false)).toBe('leased')
    await log.release(id)
    expect(await log.begin(id, false)).toBe('begun')
    now += leaseMs
    for (const _ of [1, 2]) expect(await log.begin(id, false)).toBe('unknown')
    await log.finish(id, 'unknown')
    for (const mayRepeat of [false, true]) expect(await log.begin(id, mayRepeat)).toBe('done')
  })

  it('keeps revisions, orders and packets apart', async () => {
    const other = `${orderId.slice(0, -1)}y` as OrderId
    const ids = [nextId(), nextId(), { orderId: other, revision }, { packetId: 'sale-p7' }, { packetId: 'sale-p8' }]
    for (const id of ids) expect(await log.begin(id, true)).toBe('begun')
    for (const id of ids) expect(await log.begin(id, true)).toBe('leased')
  })

  it('gives an email to one of many senders', async () => {
    const id = nextId()
    const answers = await Promise.all(Array.from({ length: 8 }, () => log.begin(id, true)))
    expect(answers.filter((answer) => answer === 'begun')).toHaveLength(1)
  })
})

describe('its item in the table', () => {
  it('is begun once when the SDK repeats a write whose answer was lost', async () => {
    const twice = onWireAt(cloud.table, 'put MAIL', async (send) => {
      await send()
      return send()
    })
    const id = nextId()
    expect(await dynamoMailLog(twice, () => now).begin(id, false)).toBe('begun')
    expect(await log.begin(id, false)).toBe('leased')
  })

  it('expires after a week, and names no person', async () => {
    const id = { orderId, revision: 9_000 }
    await log.begin(id, true)
    const { client, name: TableName } = cloud.table
    const { Item } = await client.send(new GetCommand({ TableName, Key: orderMailKey(orderId, id.revision) }))
    expect(Item).toEqual({
      pk: `MAIL#${orderId}`,
      sk: '9000',
      leasedUntil: now + leaseMs,
      attempt: expect.any(String),
      expiresAt: now / 1000 + 7 * 86_400,
    })
    const { Items = [] } = await client.send(new ScanCommand({ TableName }))
    expect(new Set(Items.flatMap(Object.keys))).toEqual(
      new Set(['pk', 'sk', 'leasedUntil', 'attempt', 'expiresAt', 'sentAt', 'unknownAt']),
    )
  })
})
