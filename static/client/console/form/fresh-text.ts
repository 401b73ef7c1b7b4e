/** What stands in the form of a new sale at first. */

import { toLocalInput } from '../lib/typed.ts'
import type { FormText } from './form-text.ts'
import { defaultText } from './values.ts'

/** An hour of goods that begins in ten minutes, without a picture; `now` is epoch ms. */
export function freshText(locale: string, now: number): FormText {
  const start = Math.ceil((now + 600_000) / 60_000) * 60_000
  const currency = locale.startsWith('zh') ? 'CNY' : 'EUR'
  return {
    ...defaultText(currency),
    kind: 'goods',
    pictures: [],
    currency,
    stock: '100',
    'packets.count': '100',
    limitPerShopper: '1',
    maxPerOrder: '1',
    startsAt: toLocalInput(start),
    endsAt: toLocalInput(start + 3_600_000),
    windows: [],
    variants: [],
    texts: {},
  }
}
