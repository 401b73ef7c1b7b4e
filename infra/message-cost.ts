/** The cost of the messages of an option. */
import type { Prices } from './prices.ts'
import type { StageSettings } from './settings/stage.ts'

/** `each` is for the message of a step of a unit, in dollars. */
export type MessageCost = {
  item: string
  each(settings: StageSettings, prices: Prices): number
}
