/** The receiver of this machine: what it verifies and answers, and the bus, used through the adapter of a deployment. */
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ControlClient } from '../../../../cli/control-client.ts'
import { NotReadable } from '../../../../functions/lib/http/public-http.ts'
import { type Listening, listen } from '../../../../local/listen.ts'
import { eventPayload } from '../../core/event.ts'
import { postOrPut } from '../../functions/entries/event-bus.eventbridge.ts'
import { newEventSecret } from '../../functions/post-event.ts'
import { busPrefix, createReceiver, type LocalReceiver, receiverPath } from '../../local/workbench.ts'

const event = {
  ...{ id: 'mug-a_2', type: 'order.reserved', subject: 'mug-a', number: 2, at: Date.UTC(2026, 10, 22) },
  data: { orderId: 'mug-a', quantity: 1 },
}
const secret = newEventSecret()

let server: Listening
let receiver: LocalReceiver
/** The calls of the control API, and what they answer. */
let asked: string[]
let secrets: (string | null)[]

beforeEach(async () => {
  receiver = createReceiver(() => 0)
  server = await listen(
    createServer(async (request, response) => {
      if (!(await receiver.routes(request, response))) response.writeHead(404).end()
    }),
    0,
  )
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_EVENTBRIDGE: server.url + busPrefix,
  })
  asked = []
  secrets = [secret]
  const answered = async (name: string) => {
    asked.push(name)
    return { secret: secrets.shift() ?? null }
  }
  const control = {
    saveEventEndpoint: ({ body }: { body: { url: string } }) => answered(`save ${body.url}`),
    rotateEventSecret: () => answered('rotate'),
  }
  await receiver.register(server.url, async () => control as unknown as ControlClient)
})
afterEach(() => server.stop())

async function post(signedBy: string): Promise<number> {
  const body = JSON.stringify({ type: event.type, data: event.data })
  const now = new Date()
  const headers = {
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(signedBy).sign(event.id, now, body),
  }
  return (await fetch(`${server.url}${receiverPath}/address`, { method: 'POST', headers, body })).status
}

const behave = (body: unknown) =>
  fetch(`${server.url}${receiverPath}/behaviour`, { method: 'PUT', body: JSON.stringify(body) })

describe('the address of the receiver', () => {
  it('registers itself, verifies events, and answers as configured', async () => {
    expect(asked).toEqual([`save ${server.url}${receiverPath}/address`])
    expect(await post(secret)).toBe(204)
    expect(await post(newEventSecret())).toBe(401)
    expect((await behave('gone')).status).toBe(200)
    expect(await post(secret)).toBe(410)
    expect((await behave('accept')).status).toBe(200)
    expect(asked).toHaveLength(2)
    expect((await behave('explode')).status).toBe(400)
    const listed = await (await fetch(`${server.url}${receiverPath}/tries?after=1`)).json()
    expect(listed).toMatchObject({
      behaves: 'accept',
      tries: [
        { number: 2, isVerified: false, status: 401 },
        { number: 3, isVerified: true, status: 410, id: event.id, type: event.type, about: 'mug-a' },
      ],
    })
  })

  it('rotates the secret when the shop still has its address', async () => {
    const renewed = newEventSecret()
    secrets = [null, renewed]
    await receiver.register(server.url, async () => {
      const answer = async () => ({ secret: secrets.shift() ?? null })
      return { saveEventEndpoint: answer, rotateEventSecret: answer } as unknown as ControlClient
    })
    expect([await post(secret), await post(renewed)]).toEqual([401, 204])
  })
})

describe('an event for EventBridge', () => {
  const put = (bus = 'sluice-test') =>
    postOrPut(async () => 204, bus)(
      `eventbridge:${bus}`,
      { 'webhook-id': event.id },
      JSON.stringify(eventPayload(event)),
    )

  it('is put with its id and its payload', async () => {
    expect(await put()).toBe(200)
    expect(receiver.tries()).toMatchObject([
      { via: 'bus', id: event.id, type: event.type, about: 'mug-a', status: 200, isVerified: null },
    ])
    expect(JSON.parse(receiver.tries()[0]?.body ?? '')).toEqual({
      ...{ id: event.id, type: event.type, timestamp: '2026-11-22T00:00:00.000Z', data: event.data },
    })
  })

  it('fails when the call succeeds without it, is refused, or is not answered', async () => {
    await receiver.behave('fail')
    await expect(put()).rejects.toThrow(new NotReadable('refused: InternalFailure'))
    await expect(put('')).rejects.toThrow(new NotReadable('not put: ValidationException'))
    await server.stop()
    await expect(put()).rejects.toThrow(/^not put: \w+$/)
  })

  it('is posted to any other address', async () => {
    expect(await postOrPut(async () => 204, 'sluice-test')('https://shop.example', {}, '{}')).toBe(204)
  })
})

it('shows a page that loads nothing from elsewhere', async () => {
  const response = await fetch(server.url + receiverPath)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  for (const [, file = ''] of (await response.text()).matchAll(/(?:href|src)="(\/[^"]+)"/g))
    expect((await fetch(server.url + file)).status, file).toBe(200)
})
