/** The link "Unsubscribe" through the function that serves it, and what it leaves in the table. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unsubscribePath } from '../../../core/unsubscribe-path.ts'
import { answerDelivery } from '../../../functions/delivery/delivery-http.ts'
import { unsubscribeSeal } from '../../../functions/lib/unsubscribe-seal.ts'
import { requestOf } from '../../../simulation/memory/support.ts'
import { startTable } from '../../contract/cloud.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { deliveryShop } from './rig.ts'

let started: Awaited<ReturnType<typeof startTable>>
beforeAll(async () => {
  started = await startTable()
})
afterAll(() => started.stop())

it('is served without a session, and only its POST ends e-mails, also after a later delivery', async () => {
  const { ports, time } = deliveryShop(started.table)
  const shopperId = shopperIdOf(77)
  const contact = { email: 'ann@example.com', language: 'en' } as const
  await ports.contacts.put(shopperId, contact, time.now + 1000)
  const path = unsubscribePath(await ports.sealer.seal(unsubscribeSeal, { shopperId }))
  const send = (method: string) => answerDelivery(ports, requestOf(undefined, method, path))

  expect((await send('GET')).statusCode).toBe(200)
  expect(await ports.contacts.find(shopperId)).toEqual(contact)
  for (const _ of [1, 2]) expect((await send('POST')).statusCode).toBe(200)
  expect(await ports.contacts.find(shopperId)).toEqual({ ...contact, unsubscribed: true })
  await ports.contacts.put(shopperId, { ...contact, language: 'zh-CN' }, time.now + 1000)
  expect(await ports.contacts.find(shopperId)).toEqual({ ...contact, language: 'zh-CN', unsubscribed: true })

  await ports.contacts.erase(shopperId)
  expect((await send('POST')).statusCode).toBe(200)
  expect(await ports.contacts.find(shopperId), 'an erased contact stays erased').toBeUndefined()
})
