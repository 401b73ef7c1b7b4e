/** What a page lets a shopper choose before a click: a quantity, and in a sale with variants one of them (N1). */
import type { Pointer } from '../../../core/sale/pointer.ts'
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
