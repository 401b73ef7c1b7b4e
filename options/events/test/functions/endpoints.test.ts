/** `/api/control/event-endpoints`: what is saved, rotated, tried, listed and sent once more. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { withPorts } from '../../../../functions/lib/http/app.ts'
import type { PostPublic } from '../../../../functions/lib/http/public-http.ts'
import { createSealer } from '../../../../functions/lib/sealer.ts'
import { type World, world } from '../../../../test/world/world.ts'
import { maxEndpoints, rotationMs } from '../../core/endpoint.ts'
import { afterTry, type PendingEvents, retryDelaysMs, withNewEvents } from '../../core/pending-events.ts'
import { type EndpointPorts, endpointRoutes } from '../../functions/entries/handlers.ts'
import { endpointWakeKey } from '../../functions/keys.ts'
import { endpoints, readPending, writePending } from '../../functions/table.ts'

type Own = Pick<EndpointPorts, 'sendsEvents' | 'eventBus' | 'postPublic'>

let rig: World
let own: Own
/** The posts to endpoints, and their answers. */
let posts: { url: string; headers: Readonly<Record<string, string>>; body: string }[]
let receiver: { status: number }
beforeEach(async () => {
  posts = []
  receiver = { status: 204 }
  rig = await world({
    now: Date.now(),
    handlers(ports) {
      const postPublic: PostPublic = async (url, headers, body) => {
        posts.push({ url, headers, body })
        return receiver.status
      }
      // A test may change the ports of the world.
      own = Object.assign(Object.create(ports), { sendsEvents: true, postPublic })
      return withPorts(endpointRoutes, own as EndpointPorts)
    },
  })
})

const url = 'https://shop.example/events'
const save = (change: object = {}, name = 'erp') => rig.ask('PUT', `/event-endpoints/${name}`, { url, ...change })
const ask = (method: string, what = '', body: unknown = method === 'POST' ? {} : undefined) =>
  rig.ask(method, `/event-endpoints${what}`, body)
const audited = () => rig.audit().filter(({ what }) => /endpoint/.test(what))
const stored = async () => {
  const [endpoint] = await endpoints.all(rig.ports.table)
  if (endpoint === undefined) throw new Error('there is no endpoint')
  return endpoint
}
/** When the sender was asked to look at the endpoint. */
async function wokenAt() {
  const { client, name: TableName } = rig.ports.table
  const Key = endpointWakeKey((await stored()).id)
  return (await client.send(new GetCommand({ TableName, Key }))).Item?.at
}

describe('the bus of a stage that has one', () => {
  const bus = { url: 'eventbridge:sluice-test' }

  it('is an endpoint without a secret to show, which is tried, disabled and removed as others are', async () => {
    own.eventBus = 'sluice-test'
    const { status, body } = await save({ ...bus, types: ['order.paid'] }, 'bus')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { endpoint: { ...bus, state: 'enabled' }, secret: null },
    })
    expect((await ask('POST', '/bus/test')).body).toMatchObject({ delivered: true })
    expect(posts.at(-1)).toMatchObject({ url: bus.url, headers: { 'webhook-signature': '' } })
    expect((await save({ ...bus, enabled: false }, 'bus')).body.endpoint.state).toBe('disabled')
    await ask('DELETE', '/bus')
    expect((await ask('GET')).body).toEqual({ endpoints: [] })
  })

  it('is the only one that an endpoint may name', async () => {
    const refused = { status: 400, body: { code: 'invalid-request', field: 'url' } }
    expect(await save({ url: 'eventbridge:undefined' })).toMatchObject(refused)
    own.eventBus = 'sluice-other'
    expect(await save(bus)).toMatchObject(refused)
    expect((await ask('GET')).body).toEqual({ endpoints: [] })
  })
})

describe('an endpoint', () => {
  it('is saved with a secret that is shown once and stored sealed', async () => {
    rig.ports.sealer = createSealer([Buffer.alloc(32, 5).toString('base64')], rig.ports.clock)
    const { status, body } = await save({ types: ['order.paid'] })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { endpoint: { name: 'erp', url, types: ['order.paid'], sales: null, state: 'enabled' } },
    })
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(JSON.stringify(await stored())).not.toContain(body.secret.slice(6))
    expect((await ask('GET')).body).toEqual({ endpoints: [body.endpoint] })
    expect(audited()).toMatchObject([
      {
        what: 'save-endpoint',
        before: null,
        after: { endpointName: 'erp', url, types: ['order.paid'], enabled: true },
      },
    ])
    expect(JSON.stringify(audited())).not.toContain('whsec_')
  })

  it('is saved twice with one entry of the audit, and keeps its secret when it changes', async () => {
    await save()
    const { secret, id } = await stored()
    expect((await save()).body.secret).toBeNull()
    expect(audited()).toHaveLength(1)
    await save({ sales: ['mug'] })
    expect(await stored()).toMatchObject({ secret, id, sales: ['mug'] })
    expect(audited()).toHaveLength(2)
  })

  it.each([
    [{ url: 'http://shop.example/events' }, 'url'],
    [{ url: 'https://ann:secret@shop.example/' }, 'url'],
    [{ url: 'ftp://shop.example' }, 'url'],
    [{ types: [] }, 'types'],
    [{ types: ['order.lost'] }, 'types.0'],
    [{ sales: ['A sale'] }, 'sales.0'],
    [{ colour: 'red' }, 'colour'],
  ])('is refused with %j', async (change, field) => {
    expect(await save(change)).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    expect(await endpoints.all(rig.ports.table)).toEqual([])
  })

  it('is refused beyond the limit, and in a stage that sends no events', async () => {
    for (let made = 0; made < maxEndpoints; made += 1) await save({}, `erp-${made}`)
    expect(await save()).toMatchObject({
      status: 409,
      body: { reason: 'endpoints-full', values: { limit: maxEndpoints } },
    })
    own.sendsEvents = false
    expect(await save({}, 'erp-0')).toMatchObject({ status: 409, body: { reason: 'events-off' } })
  })

  it('is disabled, stays so when it changes, and is woken once it is enabled', async () => {
    await save()
    expect((await save({ enabled: false })).body.endpoint.state).toBe('disabled')
    expect((await save({ sales: ['mug'] })).body.endpoint.state).toBe('disabled')
    expect(await wokenAt()).toBeUndefined()
    expect((await save({ enabled: true })).body.endpoint.state).toBe('enabled')
    expect(await wokenAt()).toBe(rig.ports.clock())
  })

  it('gets another secret, beside which the former ones sign for a day, also after two rotations', async () => {
    const first = (await save()).body.secret
    const second = (await ask('POST', '/erp/secret')).body.secret
    const third = (await ask('POST', '/erp/secret')).body
    expect(third.endpoint.formerSecretUntil).toBe(rig.ports.clock() + rotationMs)
    await ask('POST', '/erp/test')
    const post = posts.at(-1)
    for (const secret of [first, second, third.secret]) {
      expect(new Webhook(secret).verify(post?.body ?? '', { ...post?.headers })).toMatchObject({
        type: 'endpoint.test',
      })
    }
    expect(new Set([first, second, third.secret]).size).toBe(3)
    rig.clock.now += rotationMs
    expect((await ask('GET')).body.endpoints[0].formerSecretUntil).toBeNull()
    await ask('POST', '/erp/test')
    expect(posts.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    expect(audited().filter(({ what }) => what === 'rotate-endpoint-secret')).toHaveLength(2)
  })

  it('keeps each secret that was shown, and each setting, when calls come at the same time', async () => {
    const first = (await save()).body.secret
    const calls = [ask('POST', '/erp/secret'), ask('POST', '/erp/secret'), save({ sales: ['mug'] })]
    const [second, third] = (await Promise.all(calls)).map(({ body }) => body.secret)
    expect((await stored()).sales).toEqual(['mug'])
    await ask('POST', '/erp/test')
    const post = posts.at(-1)
    for (const secret of [first, second, third]) {
      expect(new Webhook(secret).verify(post?.body ?? '', { ...post?.headers })).toMatchObject({
        type: 'endpoint.test',
      })
    }
  })

  it('is tried at once, and says what came of it', async () => {
    await save()
    expect((await ask('POST', '/erp/test')).body).toEqual({ delivered: true, status: 204, failure: null })
    receiver.status = 302
    expect((await ask('POST', '/erp/test')).body).toEqual({ delivered: false, status: 302, failure: null })
  })

  it('is removed, and one of the same name begins anew', async () => {
    await save()
    const { id } = await stored()
    expect(await ask('DELETE', '/erp')).toMatchObject({ status: 200, body: { name: 'erp' } })
    expect(await ask('DELETE', '/erp')).toMatchObject({ status: 200, body: { name: 'erp' } })
    expect((await save()).body.secret).toMatch(/^whsec_/)
    expect((await stored()).id).not.toBe(id)
  })

  it.each(['/erp/secret', '/erp/test', '/erp/replay', '/erp/deliveries'])('that is unknown has no %s', async (what) => {
    const isRead = what.endsWith('deliveries')
    const body = what.endsWith('replay') ? { eventId: 'mug_1', finishedAt: 1 } : isRead ? undefined : {}
    expect(await ask(isRead ? 'GET' : 'POST', what, body)).toMatchObject({
      status: 409,
      body: { reason: 'unknown-endpoint' },
    })
  })
})

it('deliveries are listed, those that wait first, and sent once more on request, each once', async () => {
  const event = (number: number) => ({
    ...{ id: `mug_${number}`, type: 'order.paid', subject: 'mug', number, at: 5, data: {} },
  })
  await save()
  const { table } = rig.ports
  const { id } = await stored()
  let pending = withNewEvents(undefined, [event(1), event(2)], 100)?.pending as PendingEvents
  await writePending(table, id, 0, { pending }, 100)
  let version = 1
  const trying = async (status: number, now: number) => {
    const next = afterTry(pending, { status }, now, 0.5)
    await writePending(table, id, version, next, now)
    pending = next.pending
    version += 1
  }
  for (const _ of [...retryDelaysMs, 0]) await trying(500, 200)
  await trying(404, 300)
  const { deliveries } = (await ask('GET', '/erp/deliveries')).body
  expect(deliveries).toMatchObject([
    { eventId: 'mug_2', state: 'waiting', tries: 1, status: 404, nextAt: 5300, finishedAt: null },
    { eventId: 'mug_1', state: 'dead', tries: 10, status: 500, nextAt: null, finishedAt: 200 },
  ])
  const replay = { eventId: 'mug_1', finishedAt: 200 }
  for (const _ of [1, 2]) expect((await ask('POST', '/erp/replay', replay)).body).toEqual({ eventId: 'mug_1' })
  expect((await readPending(table, id, 'mug')).pending?.events.map(({ number }) => number)).toEqual([2, 1])
  expect(await wokenAt()).toBe(rig.ports.clock())
  expect(await ask('POST', '/erp/replay', { ...replay, finishedAt: 201 })).toMatchObject({
    status: 409,
    body: { reason: 'unknown-delivery' },
  })
})
