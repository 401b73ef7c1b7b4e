/**
 * The idempotency key of a click. It lives until the click has a definite answer, so a retry after a lost
 * reply, even after a reload, repeats the same key and finds the same reservation (I5). A start token belongs
 * to one opening, so a new opening begins with a new key.
 */

export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** `since` is when the first try was sent, epoch ms on the shop's clock. */
export type Claim = { startToken: string; key: string; since: number }

const nameOf = (saleId: string) => `sluice.claim.${saleId}`

/** The click that still waits for a definite answer, if there is one. */
export function openClaim(store: Store, saleId: string): Claim | undefined {
  return parseClaim(store.getItem(nameOf(saleId)))
}

/** The claim to send now: the one of this opening that is still open (`retry`), else `fresh`. */
export function beginClaim(store: Store, saleId: string, fresh: Claim): { claim: Claim; retry: boolean } {
  const open = openClaim(store, saleId)
  if (open?.startToken === fresh.startToken) return { claim: open, retry: true }
  store.setItem(nameOf(saleId), JSON.stringify(fresh))
  return { claim: fresh, retry: false }
}

/** Forgets the claim: its answer is known. */
export function settleClaim(store: Store, saleId: string): void {
  store.removeItem(nameOf(saleId))
}

function parseClaim(text: string | null): Claim | undefined {
  if (text === null) return undefined
  try {
    const claim = JSON.parse(text) as Claim
    const sound = typeof claim.key === 'string' && typeof claim.startToken === 'string'
    return sound && Number.isFinite(claim.since) ? claim : undefined
  } catch {
    return undefined
  }
}
