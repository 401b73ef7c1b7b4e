/** Where winners of red packets see their money. */
import { memberOf } from '../http.ts'
import type { PrizeView } from '../watch.ts'
import type { WonPacket } from './claim.ts'

/** The credit in the winner's own wallet, to the cent. */
export const walletView: PrizeView<WonPacket> = {
  path: () => '/api/wallet',
  shows: (body, won) => creditsIn(body).some((credit) => isOf(credit, won)),
  nameOf: ({ packetId }) => packetId,
}

function creditsIn(body: unknown): unknown[] {
  const credits = memberOf(body, 'credits')
  return Array.isArray(credits) ? credits : []
}

function isOf(credit: unknown, { packetId, amount, currency }: WonPacket): boolean {
  return (
    memberOf(credit, 'packetId') === packetId &&
    memberOf(credit, 'amount') === amount &&
    memberOf(credit, 'currency') === currency
  )
}
