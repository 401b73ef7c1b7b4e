/**
 * Who gets which unit, at the draw and whenever units come back (docs/reference/draw.md, "Allocation"). The sale and every
 * check of it run the same steps.
 */
import { hexOf } from './bytes.ts'
import { membersOf, type Ranking } from './ranking.ts'
import { choicesOf } from './record.ts'
import { hashBytes, sha256 } from './sha256.ts'

/** A unit of a variant, by its number from 1, that the entry with this number may buy. */
export type DrawOffer = { entry: number; variant: number }

export type Allocation = {
  /** The offers of the draw itself. */
  readonly first: readonly DrawOffer[]
  /** The variant of the unit that an entry was offered and has not given back. */
  heldBy(entry: number): number | undefined
  /** Whether an entry was ever offered a unit. */
  wasOffered(entry: number): boolean
  /** The units of a variant that no entry holds. */
  free(variant: number): number
  /** The entry gives its unit back; the offers that this makes, or undefined if it holds none. */
  giveBack(entry: number): DrawOffer[] | undefined
  /** The shop adds units of a variant; the offers that this makes, or undefined for a variant that the draw does not have. */
  add(variant: number, units: number): DrawOffer[] | undefined
  /** The score of the last rank that was ever offered something, in hexadecimal; zeros before that. */
  threshold(): string
}

/** Allocates `units` by variant, in the order of the rules. */
export function allocate(ranking: Ranking, units: readonly number[]): Allocation {
  const { list, byRank, scores } = ranking
  const free = [0, ...units]
  /** By rank: 1 for a party that has had its offer. */
  const isServed = new Uint8Array(byRank.length)
  /** The variant of each entry that was offered one; 0 once its unit is given back. */
  const held = new Map<number, number>()
  /** By variant: no party with a lower rank waits for it. */
  const waitingFrom = free.map(() => 0)
  let lastServed = -1

  /** The offers of a party that fits; its units are taken. */
  function serve(rank: number): DrawOffer[] | undefined {
    const offers: DrawOffer[] = []
    for (const entry of membersOf(ranking, byRank[rank] ?? 0)) {
      const variant = choicesOf(list, entry).find((choice) => (free[choice] ?? 0) > 0)
      if (variant === undefined) {
        for (const taken of offers) change(taken.variant, 1)
        return undefined
      }
      change(variant, -1)
      offers.push({ entry, variant })
    }
    for (const { entry, variant } of offers) held.set(entry, variant)
    isServed[rank] = 1
    lastServed = Math.max(lastServed, rank)
    return offers
  }

  function change(variant: number, by: number): void {
    free[variant] = (free[variant] ?? 0) + by
  }

  const first: DrawOffer[] = []
  for (let rank = 0, left = sumOf(units); rank < byRank.length && left > 0; rank += 1) {
    const offers = serve(rank) ?? []
    first.push(...offers)
    left -= offers.length
  }

  function wants(rank: number, variant: number): boolean {
    return membersOf(ranking, byRank[rank] ?? 0).some((entry) => choicesOf(list, entry).includes(variant))
  }

  /** Only units of `variant` came, so that only parties that want it can fit now. */
  function offerFreed(variant: number): DrawOffer[] {
    const made: DrawOffer[] = []
    let isBlocked = false
    for (let rank = waitingFrom[variant] ?? 0; rank < byRank.length && (free[variant] ?? 0) > 0; rank += 1) {
      if (isServed[rank] === 0 && wants(rank, variant)) {
        const offers = serve(rank)
        if (offers === undefined) isBlocked = true
        else made.push(...offers)
      }
      if (!isBlocked) waitingFrom[variant] = rank + 1
    }
    return made
  }

  return {
    first,
    heldBy: (entry) => held.get(entry) || undefined,
    wasOffered: (entry) => held.has(entry),
    free: (variant) => free[variant] ?? 0,
    giveBack(entry) {
      const variant = held.get(entry)
      if (!variant) return undefined
      held.set(entry, 0)
      change(variant, 1)
      return offerFreed(variant)
    },
    add(variant, units) {
      if (variant < 1 || variant >= free.length) return undefined
      change(variant, units)
      return offerFreed(variant)
    },
    threshold() {
      const at = (byRank[lastServed] ?? 0) * hashBytes
      return hexOf(lastServed < 0 ? new Uint8Array(hashBytes) : scores.subarray(at, at + hashBytes))
    },
  }
}

function sumOf(units: readonly number[]): number {
  return units.reduce((sum, count) => sum + count, 0)
}

/** The hash of offers in the order in which they were made, in hexadecimal. */
export function offersHash(offers: readonly DrawOffer[]): string {
  const bytes = new Uint8Array(5 * offers.length)
  const view = new DataView(bytes.buffer)
  offers.forEach(({ entry, variant }, n) => {
    view.setUint32(5 * n, entry)
    view.setUint8(5 * n + 4, variant)
  })
  return hexOf(sha256(bytes))
}
