/** Declares the choice before a click: a quantity and, in a sale with variants, one of them (N1). */
import { ownValue } from '../../core/lib/own-value.ts'
import type { Pointer } from '../../core/sale/pointer.ts'
import type { ChosenUnits } from '../buy/buy.ts'
import type { ClickRefusal } from '../buy/refusal.ts'
import type { News } from './news.ts'

/**
 * `pointer` is the last one read. `now` is epoch ms on the shop's clock. `held`: a click is in flight or its answer is
 * unknown, so the choice must not change.
 */
export type ChoiceFacts = { pointer: Pointer | undefined; now: number; held: boolean }

export type SaleChoice<K extends string> = {
  /** Returns the choice; undefined while nothing is chosen. */
  chosen(): ChosenUnits | undefined
  /** Leads the shopper to the choice. */
  ask(): News<K> | undefined
  /** Call it on each draw of the page. Returns news if the choice changed. */
  update(facts: ChoiceFacts): News<K> | undefined
  /** Applies a refusal of `units`. Returns news that is more precise than the refusal's own. */
  refused(outcome: ClickRefusal, units: ChosenUnits, now: number): News<K> | undefined
  /** Redraws the choice in the reader's language. */
  redraw(): void
  onChange(listener: () => void): void
}

/** Converts typed text to a quantity from 1 to `max`. */
export function boundedQuantity(text: string, max: number): number {
  const n = Number.parseInt(text, 10)
  return Number.isNaN(n) ? 1 : Math.min(max, Math.max(1, n))
}

/** Remaining units by variant. A variant without a number has enough. */
export type LeftByVariant = Readonly<Record<string, number>>

/** A refusal proved that at most `left` units of the variant remained at `at`, epoch ms on the shop's clock. */
export type ProvedUnits = { variant: string; left: number; at: number }

/** The published units. `at` is epoch ms on the publisher's clock. */
type Published = { variants?: LeftByVariant; at: number }

/** How long a refusal overrides the pointer, ms: the page may miss a publication. */
const maxProofAgeMs = 60_000

/** Returns the remaining units from the pointer, or from a newer refusal. */
export function leftNow(pointer: Published | undefined, proved: ProvedUnits | undefined, now: number): LeftByVariant {
  const published = pointer?.variants ?? {}
  if (proved === undefined || now >= proved.at + maxProofAgeMs) return published
  if (pointer !== undefined && pointer.at > proved.at) return published
  const { variant, left } = proved
  return { ...published, [variant]: Math.min(left, ownValue(published, variant) ?? left) }
}
