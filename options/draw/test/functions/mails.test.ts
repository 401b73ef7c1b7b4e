/** The emails about offers, as support finds them. */
import { bytesToHex } from '@noble/hashes/utils.js'
import { expect, it } from 'vitest'
import type { ShopperId } from '../../../../core/ids.ts'
import { dynamoMailLog } from '../../../../functions/table/people/mail-log.ts'
import { saleIdOf, shopperIdOf } from '../../../../test/redis/support.ts'
import { useWorld } from '../../../../test/world/world.ts'
import { loadDrawKeys } from '../../functions/draw-of-sale.ts'
import { entrantId, saveOffers } from '../../functions/table.ts'

const rig = useWorld()

it('are among those of a shopper, also without an order', async () => {
  await rig.open()
  const saleId = saleIdOf('phone')
  const [offered, other] = [shopperIdOf(1), shopperIdOf(2)]
  const { table } = rig.ports
  const at = rig.clock.now
  const { ids } = await loadDrawKeys(table, saleId)
  const offerOf = (shopperId: ShopperId, entry: number) => {
    return { id: bytesToHex(entrantId(ids, shopperId)), entry, shopperId, at, until: at + 60_000 }
  }
  await saveOffers(table, saleId, [offerOf(offered, 0), offerOf(other, 1)])
  const log = dynamoMailLog(table, () => rig.clock.now)
  const mail = { saleId, shopperId: offered, at }
  await log.begin(mail, true)
  rig.clock.now += 500
  await log.finish(mail, 'sent')
  const mailsOf = async (find: ShopperId) =>
    (await rig.ask('POST', '/orders/find', { find, shopper: true }, { 'x-shopper-roles': 'support' })).body.shopper
      .mails
  expect(await mailsOf(offered)).toEqual([{ about: saleId, kind: 'unit-offered', state: 'sent', at: at + 500 }])
  expect(await mailsOf(other), 'an offer without an email').toEqual([])
  expect(await mailsOf(shopperIdOf(3)), 'no offer').toEqual([])
})
