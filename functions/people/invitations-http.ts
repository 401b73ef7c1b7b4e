/**
 * `POST /api/wallet/invitations`: a shopper redeems an invitation, and is on the list of the sale for early access. The
 * table decides, which keeps the list for good; a code that was decided in Redis could be redeemed again after a loss.
 */
import { walletApi } from '../../core/api/wallet.ts'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { CouponCode } from '../../core/orders/coupon.ts'
import { problem } from '../../core/outcome.ts'
import { invitationDigest } from '../../core/sale/invitations.ts'
import { addMembers } from '../../redis/gate/members.ts'
import { notFound, problemAnswer } from '../lib/http/answer.ts'
import { createApp, forShoppers, on } from '../lib/http/app.ts'
import type { GatePorts } from '../lib/shop/shop.ts'
import { earlyShoppersAmong } from '../table/sale/early-lists.ts'
import { redeemerOf, takeInvitation } from '../table/sale/invitations.ts'

/** `unknown`: no such code of that sale. `used`: another shopper has redeemed it. */
type Redeeming = 'redeemed' | 'unknown' | 'used'

/**
 * Safe to repeat: the same shopper gets the same answer (I5). A shopper who was taken off the list since does not come
 * back by the same code.
 * @throws when a part is unavailable; `reconcile` completes the gate's copy of the list
 */
async function redeemInvitation(
  { table, gate, clock }: GatePorts,
  shopperId: ShopperId,
  { saleId, code }: { saleId: SaleId; code: CouponCode },
): Promise<Redeeming> {
  const digest = await invitationDigest(saleId, code)
  let redeemer = await redeemerOf(table, saleId, digest)
  if (redeemer === 'open') {
    await takeInvitation(table, saleId, digest, { shopperId, now: clock() })
    redeemer = await redeemerOf(table, saleId, digest)
  }
  if (redeemer === undefined) return 'unknown'
  if (redeemer !== shopperId) return 'used'
  if ((await earlyShoppersAmong(table, saleId, [shopperId])).has(shopperId)) await addMembers(gate, saleId, [shopperId])
  return 'redeemed'
}

const routes = [
  on(walletApi.redeemInvitation, async (ports: GatePorts, { caller, body }) => {
    const redeeming = await redeemInvitation(ports, caller.shopperId, body)
    if (redeeming === 'unknown') return notFound()
    if (redeeming === 'redeemed') return { saleId: body.saleId }
    return problemAnswer(problem('conflict', 'Another shopper has redeemed this invitation.', { field: 'code' }))
  }),
]

/** Answers shoppers who redeem an invitation. */
export const invitationsApp = (ports: GatePorts) => createApp(ports, routes, forShoppers)
