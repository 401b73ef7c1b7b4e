/** The commands about events: what they ask, what they print, and what they refuse. */
import { describe, expect, it } from 'vitest'
import { fakeControlApi } from '../../../../test/cli/sale/control-api.ts'

const { answer, calls, cells, complaints, lines, pages, run } = fakeControlApi()

const at = 1_800_000_000_000
const url = 'https://shop.example/events'
const endpoint = {
  ...{ name: 'erp', url, types: null, sales: null },
  ...{ state: 'enabled', savedAt: at, formerSecretUntil: null },
}
const delivery = {
  ...{ eventId: 'mugs-a_2', type: 'order.reserved', at, state: 'delivered', tries: 2 },
  ...{ status: 204, failure: null, nextAt: null, finishedAt: at + 1000 },
}
const listed = '/event-endpoints/erp/deliveries'

describe('a command about events', () => {
  const saved = { endpoint, secret: 'whsec_c2VjcmV0' }
  const path = '/event-endpoints/erp'
  it.each<[string, string, string, object | null, object]>([
    [`events add erp ${url}`, 'PUT', path, { url }, saved],
    [
      ...([`events add erp ${url} --types order.paid,order.shipped --sales mugs`, 'PUT', path] as const),
      ...([{ url, types: ['order.paid', 'order.shipped'], sales: ['mugs'] }, saved] as const),
    ],
    [`events add erp ${url} --disable`, 'PUT', path, { url, enabled: false }, saved],
    [`events add erp ${url} --enable`, 'PUT', path, { url, enabled: true }, saved],
    ['events remove erp', 'DELETE', path, null, { name: 'erp' }],
    ['events rotate-secret erp', 'POST', `${path}/secret`, {}, saved],
    ['events test erp', 'POST', `${path}/test`, {}, { delivered: true, status: 204, failure: null }],
  ])('%s is sent as %s %s', async (command, method, asked, body, answered) => {
    answer.body = answered
    expect([await run(...command.split(' ')), complaints]).toEqual([0, []])
    expect(calls()).toEqual([[method, asked, body]])
  })

  it.each([
    ['events add ERP https://shop.example', 'name must be 1 to 32 lower-case letters'],
    ['events add erp shop.example', 'url must be an https address'],
    ['events add erp http://shop.example', 'url must be an https address'],
    ['events add erp', 'missing required argument'],
    [`events add erp ${url} --types order.lost`, 'types.0 must be one of order.reserved'],
    [`events add erp ${url} --types ,`, 'types.0 must be one of'],
    [`events add erp ${url} --sales Mugs!`, 'sales.0 must be a sale id'],
    [`events add erp ${url} --enable --disable`, 'cannot be used with'],
    ['events replay erp', 'missing required argument'],
  ])('%s is refused before any request', async (command, sentence) => {
    expect(await run(...command.split(' '))).toBe(1)
    expect(complaints.join(' ')).toContain(sentence)
    expect(calls()).toEqual([])
  })

  it('shows a secret once', async () => {
    answer.body = saved
    await run('events', 'add', 'erp', url)
    expect(lines.join()).toContain('not shown again: whsec_c2VjcmV0')
    lines.length = 0
    answer.body = { endpoint, secret: null }
    await run('events', 'add', 'erp', url)
    expect(lines.join()).not.toContain('secret')
  })
})

describe('the addresses that receive events', () => {
  it('are listed, each with its state', async () => {
    answer.body = { endpoints: [{ ...endpoint, state: 'gone', types: ['order.paid'], sales: ['mugs'] }] }
    expect(await run('events', 'list')).toBe(0)
    expect(cells()).toEqual([
      ['NAME', 'STATE', 'ADDRESS', 'TYPES', 'SALES'],
      ['erp', 'gone', url, 'order.paid', 'mugs'],
    ])
    lines.length = 0
    answer.body = { endpoints: [] }
    await run('events', 'list')
    expect(lines).toEqual(['No address receives events yet.'])
  })

  it('answer a test event, or do not', async () => {
    const answered: [object, string][] = [
      [{ delivered: true, status: 204, failure: null }, 'delivered: it answers 204'],
      [{ delivered: false, status: 401, failure: null }, 'not delivered: it answers 401'],
      [{ delivered: false, status: null, failure: 'it has no address' }, 'not delivered: it has no address'],
    ]
    for (const [body] of answered) {
      answer.body = body
      await run('events', 'test', 'erp')
    }
    expect(lines).toEqual(answered.map(([, line]) => line))
  })
})

describe('the events that were sent to an address', () => {
  it('are listed with their state, their tries and the last answer', async () => {
    const waiting = { ...delivery, state: 'waiting', tries: 3, status: null, finishedAt: null }
    const deliveries = [{ ...waiting, failure: 'it cannot be reached', nextAt: at }, delivery]
    pages[listed] = { status: 200, body: { deliveries } }
    expect(await run('events', 'list', 'erp')).toBe(0)
    const [, first, second] = cells()
    expect(first?.slice(1)).toEqual([
      ...['order.reserved', 'mugs-a_2', expect.stringMatching(/^again /), '3', 'it cannot be reached'],
    ])
    expect(second?.slice(1)).toEqual(['order.reserved', 'mugs-a_2', 'delivered', '2', '204'])
  })

  it('are resent by their id, the newest time first, and not while they are pending', async () => {
    const waiting = { ...delivery, eventId: 'mugs-a_3', state: 'waiting', finishedAt: null }
    pages[listed] = { status: 200, body: { deliveries: [waiting, delivery] } }
    answer.body = { eventId: 'mugs-a_2' }
    expect(await run('events', 'replay', 'erp', 'mugs-a_2')).toBe(0)
    const finished = { eventId: 'mugs-a_2', finishedAt: at + 1000 }
    expect(calls().at(-1)).toEqual(['POST', '/event-endpoints/erp/replay', finished])
    expect(await run('events', 'replay', 'erp', 'mugs-a_3')).toBe(1)
    expect(complaints).toEqual(['mugs-a_3 is not among the newest events that were sent to erp'])
    expect(calls().filter(([method]) => method === 'POST')).toHaveLength(1)
  })
})
