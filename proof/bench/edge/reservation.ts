/**
 * Times what a shop does with a reservation that a shopper brings to its checkout, as docs/how-to/checkout.md shows it: it
 * verifies the signature with public keys that it has, and makes no call.
 */
import { createLocalJWKSet, exportJWK, generateKeyPair, type JSONWebKeySet, jwtVerify } from 'jose'
import { parseOrderId, parseShopperId, saleOfOrder } from '../../../core/ids.ts'
import { jwksPath } from '../../../core/orders/shop-key.ts'
import { signingKey } from '../../../functions/lib/session-token.ts'
import { reservationSigner } from '../../../functions/orders/reservation-token.ts'
import { memorySite } from '../../simulation/parts/site.ts'
import { inTurns } from '../harness.ts'
import { median } from '../statistics.ts'

const perRound = 2000
const rounds = 5
const issuer = 'https://sale.shop.example'
const audience = 'https://shop.example'

/** Microseconds of one verification, the median of the rounds. */
export async function timeReservation(): Promise<number> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const site = memorySite()
  const { sign } = reservationSigner({ site }, [signingKey.parse(await exportJWK(privateKey))], issuer)
  const token = await sign(reservedUnits(), `${audience}/cart`)
  const published: JSONWebKeySet = JSON.parse(site.objects.get(jwksPath)?.body ?? '')
  const keys = createLocalJWKSet(published)
  const options = { issuer, audience, algorithms: ['ES256'], typ: 'reservation+jwt' }
  const times = await inTurns([token], { rounds }, async () => {
    const startedAt = performance.now()
    for (let count = 0; count < perRound; count += 1) await jwtVerify(token, keys, options)
    return ((performance.now() - startedAt) * 1000) / perRound
  })
  return median(times.get(token) ?? [])
}

function reservedUnits() {
  const [orderId, shopperId] = [parseOrderId(`phone-42-${'a'.repeat(26)}`), parseShopperId('customer:shop|4711')]
  if (orderId === undefined || shopperId === undefined) throw new TypeError('the ids of the example are wrong')
  const now = Date.now()
  return {
    ...{ orderId, shopperId, saleId: saleOfOrder(orderId), quantity: 1, amount: 4200, currency: 'EUR' },
    ...{ writtenAt: now, payBy: now + 3_600_000 },
  }
}
