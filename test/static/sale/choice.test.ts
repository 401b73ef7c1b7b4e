import { expect, it } from 'vitest'
import { leftNow } from '../../../static/sale/choice.ts'

const pointer = { at: 5000, variants: { s: 1, m: 0 } }

const proved = { variant: 's', left: 0, at: 6000 }
const newer = { ...pointer, at: 6001 }

it.each<[string, typeof pointer | undefined, typeof proved | undefined, number, object]>([
  ['unknown before there is a pointer', undefined, undefined, 9000, {}],
  ['what the pointer says', pointer, undefined, 9000, { s: 1, m: 0 }],
  ['less where a newer refusal has proved it', pointer, proved, 6001, { s: 0, m: 0 }],
  ['what a refusal has proved, without a pointer', undefined, proved, 6001, { s: 0 }],
  ['what the next pointer says', newer, proved, 6002, { s: 1, m: 0 }],
  ['still less for a minute', pointer, proved, 65_999, { s: 0, m: 0 }],
  ['what the pointer says after a minute, should units have returned', pointer, proved, 66_000, { s: 1, m: 0 }],
  ['never more than the pointer says', pointer, { ...proved, left: 3 }, 6001, { s: 1, m: 0 }],
])('what is left of the variants (N1) is %s', (_, seen, refused, now, left) => {
  expect(leftNow(seen, refused, now)).toEqual(left)
})
