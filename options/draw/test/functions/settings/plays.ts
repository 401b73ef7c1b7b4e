/** How a sale that draws is played with other settings. */
import type { OptionPlay } from '../../../../../test/functions/settings/stage.ts'
import { holdDraw, openOffers } from '../held-draw.ts'

const drawn: OptionPlay = { invite: holdDraw, invited: openOffers }

export const plays = { drawn } as const
