import { describe, expect, it } from 'vitest'
import { unsubscribePath } from '../../../core/people/mail.ts'
import { createSealer, unsubscribeSeal } from '../../../functions/lib/sealer.ts'
import { askToUnsubscribe, unsubscribe, unsubscribeApp } from '../../../functions/people/delivery.ts'
import { deleteContact, findContact, putContact } from '../../../functions/table/people/contacts.ts'
import { answerTo, forwardedRequest } from '../../../proof/simulation/parts/requests.ts'
import { startTable } from '../../contract/cloud.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { notingUnsubscribed } from '../../world/wire.ts'
import { deliveryShop } from './delivery-rig.ts'

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const sealerOf = (...bytes: number[]) => createSealer(bytes.map(keyOf), Date.now)

function rig(sealer = sealerOf(1)) {
  const unsubscribed: string[] = []
  return { unsubscribed, ports: { table: notingUnsubscribed(unsubscribed), sealer } }
}

const tokenOf = (shopperId: unknown, sealer = sealerOf(1)) => sealer.seal(unsubscribeSeal, { shopperId })

describe('the link to unsubscribe', () => {
  it('shows a page with a form, and has no effect by itself: scanners of mail follow links', async () => {
    const { ports, unsubscribed } = rig()
    const { statusCode, headers, body } = await askToUnsubscribe(ports, await tokenOf('ann'), 'ar')
    expect(statusCode).toBe(200)
    expect(unsubscribed).toEqual([])
    expect(body.match(/<form method="post">/g)).toHaveLength(1)
    expect(body).toContain('<html lang="ar" dir="rtl">')
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  })

  it('still works after the keys were rotated', async () => {
    const { ports, unsubscribed } = rig(sealerOf(2, 1))
    expect((await unsubscribe(ports, await tokenOf('ann'), 'en')).statusCode).toBe(200)
    expect(unsubscribed).toEqual(['ann'])
  })

  it.each<[string, () => Promise<string> | null]>([
    ['is missing', () => null],
    ['is no token', () => Promise.resolve('eyJhbGciOiJkaXIifQ..a.b.c')],
    ['was made with another key', () => tokenOf('ann', sealerOf(9))],
    ['names no shopper', () => tokenOf({ not: 'an id' })],
    ['is for another purpose', () => sealerOf(1).seal({ purpose: 'contact', owner: 'ann' }, { shopperId: 'ann' })],
    [
      'is that of another shopper with the name changed',
      async () => {
        const [head, key, iv, text = '', tag] = (await tokenOf('bob')).split('.')
        return [head, key, iv, text.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')), tag].join('.')
      },
    ],
  ])('changes nothing when it %s', async (_name, make) => {
    const { ports, unsubscribed } = rig()
    const token = await make()
    for (const answer of [await unsubscribe(ports, token, 'en'), await askToUnsubscribe(ports, token, 'en')]) {
      expect(answer.statusCode).toBe(400)
      expect(answer.body).not.toContain('<form')
    }
    expect(unsubscribed).toEqual([])
  })
})

it('the route of the link is served without a session, and only its POST ends emails, also after a later delivery (I5)', async () => {
  const started = await startTable()
  const { ports, time } = deliveryShop(started.table)
  const shopperId = shopperIdOf(77)
  const contact = { email: 'ann@example.com', language: 'en' } as const
  await putContact(ports, shopperId, contact, time.now + 1000)
  const path = unsubscribePath(await ports.sealer.seal(unsubscribeSeal, { shopperId }))
  const send = (method: string) => answerTo(unsubscribeApp(ports), forwardedRequest(undefined, method, path))

  expect((await send('GET')).statusCode).toBe(200)
  expect(await findContact(ports, shopperId)).toEqual(contact)
  for (const _ of [1, 2]) expect((await send('POST')).statusCode).toBe(200)
  expect(await findContact(ports, shopperId)).toEqual({ ...contact, unsubscribed: true })
  await putContact(ports, shopperId, { ...contact, language: 'zh-CN' }, time.now + 1000)
  expect(await findContact(ports, shopperId)).toEqual({ ...contact, language: 'zh-CN', unsubscribed: true })

  await deleteContact(ports.table, shopperId)
  expect((await send('POST')).statusCode).toBe(200)
  expect(await findContact(ports, shopperId), 'an erased contact stays erased').toBeUndefined()
  await started.stop()
})
