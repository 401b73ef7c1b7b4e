/** Texts of marketers: what is stored is what is shown, and can be stored. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { isTimeZone, line, lines } from '../../../core/lib/text.ts'

const accepts = (schema: ReturnType<typeof line>, text: string) => z.safeParse(schema, text).success

const refused = [
  ['half of a surrogate pair', 'Mug \ud83c'],
  ['NUL', 'Mug\u0000'],
  ['a control character', 'Mug\u001b[31m'],
  ['an override of the direction', 'Mug \u202ecilbup'],
  ['an isolate of the direction', 'Mug \u2067x\u2069'],
] as const

describe('a text of one line', () => {
  it.each([
    ...refused,
    ['a line break', 'Mug\r\nBcc: all'] as const,
    ['a tab', 'Mug\tx'] as const,
    ['nothing', ' '] as const,
    ['characters that are shown as nothing alone', '\u200b\u00ad\u3164\u2800'] as const,
    ['marks without a letter alone', '\u0301\u20dd'] as const,
  ])('has no %s', (_, text) => expect(accepts(line(60), text)).toBe(false))

  it('has any writing and emoji, without the spaces around it', () => {
    for (const text of ['青花瓷杯', 'Mug & saucer “Ø 9”', 'كوب', '\u200fכוס \u200eX1', '👨‍👩‍👧 family'])
      expect(z.safeParse(line(60), ` ${text} `).data).toBe(text)
  })
})

describe('a text of several lines', () => {
  it.each(refused)('has no %s', (_, text) => expect(accepts(lines(60), text)).toBe(false))

  it('has line breaks and tabs', () => {
    expect(accepts(lines(60), 'One\r\n\r\n\tTwo\n')).toBe(true)
  })
})

describe('a time zone', () => {
  it.each([
    'Europe/Berlin',
    'europe/berlin',
    'Etc/GMT+2',
    'Asia/Calcutta',
    'UTC',
    'EST5EDT',
    'CET',
    'EST',
    'PRC',
    'GB',
  ])('may be %s, a name of the IANA database', (name) => expect(isTimeZone(name)).toBe(true))

  it.each([
    '+02:00',
    '-0530',
    '+02',
    '\u221202:00',
    'BST',
    'CST',
    'ist',
    'SystemV/AST4',
    'Etc/Unknown',
    'Mars/Olympus',
    '',
  ])('is never %j, which other runtimes refuse or take for another zone', (name) =>
    expect(isTimeZone(name)).toBe(false),
  )
})
