/** The cost of the messages of an option. */
import type { Prices } from './prices.ts'
import type { StageParts, StageSettings } from './settings/stage.ts'

/** `each` is for the message of a step of a unit, in dollars; `alarmedMetrics` are those that its alarms read. */
export type MessageCost = {
  item: string
  each(settings: StageSettings, prices: Prices): number
  alarmedMetrics(settings: StageParts): number
}
