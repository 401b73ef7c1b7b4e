/** One suite for every store of due authorisations. */
import { expect, it } from 'vitest'
import type { Authorisation } from '../../functions/orders/order-ledger.ts'
import { orderIdOf, saleIdOf } from '../redis/support.ts'
import { describeTables } from './table-rig.ts'

const orderId = orderIdOf(saleIdOf('authorised'), 1, 1)

function anAuthorisation(paymentId: string, changes: Partial<Authorisation> = {}): Authorisation {
  return { paymentId, orderId, amount: 250, currency: 'EUR', requestedAt: 8_000, ...changes }
}

describeTables('authorisations', (the) => {
  const dueOf = async (prefix: string) => {
    const due = await the().authorisations.due()
    return due.filter(({ paymentId }) => paymentId.startsWith(prefix))
  }

  it('are due once they are added, oldest first (O9)', async () => {
    const { authorisations } = the()
    const late = anAuthorisation('order#late', { requestedAt: 1_790_000_000_000 })
    const early = anAuthorisation('order#early', { requestedAt: 999, reference: 'pi_1' })
    for (const one of [late, early]) await authorisations.add(one)
    expect(await dueOf('order#')).toEqual([early, late])
  })

  it('are added once, and settled for good (I5)', async () => {
    const { authorisations } = the()
    await authorisations.add(anAuthorisation('once'))
    await authorisations.add(anAuthorisation('once', { amount: 999 }))
    expect(await dueOf('once')).toEqual([anAuthorisation('once')])
    await authorisations.done('once')
    await authorisations.done('once')
    await authorisations.add(anAuthorisation('once'))
    expect(await dueOf('once')).toEqual([])
  })
})
