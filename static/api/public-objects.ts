/** The public objects of `core/sale/pointer.ts` as JSON Schema. */

import { idShapes } from '../../core/ids.ts'
import { phases } from '../../core/sale/phase.ts'
import type { Countdown, Pointer, ShownProduct } from '../../core/sale/pointer.ts'
import type { JsonSchema } from './shapes.ts'

const whole = { type: 'integer' }
const time = { type: 'integer', description: 'Epoch ms.' }
const saleId = { type: 'string', pattern: `^${idShapes.sale}$` }

const pointer: Readonly<Record<keyof Pointer, JsonSchema>> = {
  saleId,
  version: { ...whole, description: 'The version of the countdown, which is part of its path.' },
  at: { ...time, description: 'When the publisher began to read, epoch ms.' },
  phase: { enum: phases },
  startsAt: time,
  endsAt: time,
  nextStartsAt: { type: ['integer', 'null'], description: 'The start of the window after this one.' },
  src: { type: 'string', description: 'The path of the countdown as a module; with `.json` as JSON.' },
  remaining: { ...whole, description: 'Units that are left; -1 for an unlimited stock.' },
  variants: { type: 'object', additionalProperties: whole, description: 'What is left of each variant.' },
}

const countdown: Readonly<Record<keyof Countdown, JsonSchema>> = {
  saleId,
  version: whole,
  started: { type: 'boolean' },
  startsAt: time,
  endsAt: time,
  requirePass: { enum: ['on', 'off'], description: 'Absent: a click needs a pass.' },
  spreadSeconds: {
    ...whole,
    description: 'Each shopper has a turn within this many seconds after the start.',
  },
  earlyMinutes: { ...whole, description: 'How many minutes from the start only members may buy.' },
  startToken: { type: 'string', description: 'What a click sends. It is here once the sale is started.' },
}

const product: Readonly<Record<keyof ShownProduct, JsonSchema>> = {
  title: { type: 'string' },
  titles: { type: 'object', additionalProperties: { type: 'string' }, description: 'Titles by language.' },
  price: { ...whole, description: 'Of one unit, in minor units.' },
  currency: { type: 'string' },
  digits: { ...whole, description: 'Digits of the price that are behind the point.' },
  onPage: { const: true, description: 'Only the page of the sale sells it: it asks for more than a click.' },
}

const objectOf = (properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})

export const pointerSchema = objectOf(pointer, ['variants'])
const optionalOfCountdown = ['requirePass', 'spreadSeconds', 'earlyMinutes', 'startToken']
export const countdownSchema = objectOf(
  {
    ...countdown,
    product: {
      ...objectOf(product, ['titles', 'onPage']),
      description: 'In JSON alone, of a sale that pages of other sites may sell.',
    },
  },
  [...optionalOfCountdown, 'product'],
)
