/** What a page lets a shopper choose before a click: a quantity, and in a sale with variants one of them (N1). */
import { ownValue } from '../../core/lib/own-value.ts'
import type { Pointer } from '../../core/sale/pointer.ts'
import type { Wanted } from '../buy/buy.ts'
import type { ClickRefusal } from '../buy/refusal.ts'
import type { News } from './news.ts'

/**
 * `pointer` is the last that was seen. `now` is epoch ms on the shop's clock. `held`: a click is under
 * way or its answer is unknown, so that the choice is what the click has sent.
 */
export type ChoiceFacts = { pointer: Pointer | undefined; now: number; held: boolean }

export type SaleChoice<K extends string> = {
  /** Undefined while nothing is chosen. */
  wanted(): Wanted | undefined
  /** Leads the shopper to what there is to choose. */
  ask(): News<K> | undefined
  /** To be called as often as the page is drawn; the news is what became of the choice. */
  look(facts: ChoiceFacts): News<K> | undefined
  /** Takes what a refusal says of `wanted`; the news says it better than that of the refusal alone. */
  refused(outcome: ClickRefusal, wanted: Wanted, now: number): News<K> | undefined
  /** Writes it again in the language of the reader. */
  redraw(): void
  onChange(listener: () => void): void
}

/**
 * What can be chosen on the page of a sale: a quantity within its bounds, and what is left of each variant (N1). Any
 * text that a shopper typed as a quantity from 1 to `max`.
 */
export function boundedQuantity(text: string, max: number): number {
  const n = Number.parseInt(text, 10)
  return Number.isNaN(n) ? 1 : Math.min(max, Math.max(1, n))
}

/** Units by variant. A variant without a number has enough. */
export type LeftByVariant = Readonly<Record<string, number>>

/** What a refusal has proved last: that so few units of the variant were left; `at` is epoch ms on the shop's clock. */
export type Proved = { variant: string; left: number; at: number }

/** The units left by the pointer, and when they were read, epoch ms on the publisher's clock. */
type Published = { variants?: LeftByVariant; at: number }

/** Units may return without another publication that the page sees, so a refusal is believed for this long. */
const believedMs = 60_000

/** What is left, from the pointer and from a refusal that is newer. */
export function leftNow(pointer: Published | undefined, proved: Proved | undefined, now: number): LeftByVariant {
  const published = pointer?.variants ?? {}
  if (proved === undefined || now >= proved.at + believedMs) return published
  if (pointer !== undefined && pointer.at > proved.at) return published
  const { variant, left } = proved
  return { ...published, [variant]: Math.min(left, ownValue(published, variant) ?? left) }
}
