/** Where winners of red packets see that the money is theirs. */
import { memberOf } from '../http.ts'
import type { Sight } from '../watch.ts'
import type { PromisedPacket } from './tap.ts'

/** The credit in the winner's own wallet, to the cent. */
export const walletSight: Sight<PromisedPacket> = {
  path: () => '/api/wallet',
  shows: (body, promised) => creditsIn(body).some((credit) => isOf(credit, promised)),
  nameOf: ({ packetId }) => packetId,
}

function creditsIn(body: unknown): unknown[] {
  const credits = memberOf(body, 'credits')
  return Array.isArray(credits) ? credits : []
}

function isOf(credit: unknown, { packetId, amount, currency }: PromisedPacket): boolean {
  return (
    memberOf(credit, 'packetId') === packetId &&
    memberOf(credit, 'amount') === amount &&
    memberOf(credit, 'currency') === currency
  )
}
