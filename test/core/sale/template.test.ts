import { describe, expect, it } from 'vitest'
import { parseTemplateName } from '../../../core/sale/template.ts'

describe('the name of a template', () => {
  it.each([
    ...[
      'Weekly mug',
      '双十一',
      '茶 🍵',
      '👨‍👩‍👧 day',
      '❤️',
      'Crème brûlée',
      'a',
      '11.11 & 12.12',
      'v2: “new” (50+)',
      '..',
      '../x',
      '..%2f',
      'a\\b',
      '50 % off?',
      '#1',
    ],
    ...['x'.repeat(60), '🍵'.repeat(60)],
  ])('may be %j', (name) => expect(parseTemplateName(name)).toBe(name))

  it('loses the spaces around it, and is composed', () => {
    expect(parseTemplateName('  mug ')).toBe('mug')
    expect(parseTemplateName('Cre\u0300me')).toBe('Crème')
  })

  it.each([
    ...['', '   '],
    ...['a\nb', 'a\u0000', '\u007f', 'a\u202eb', 'a\u200bb', 'a\u00a0b', '\ud800', 'x'.repeat(61), 'x'.repeat(100_000)],
    ...[undefined, null, 5, {}, ['mug']],
  ])('cannot be %j', (name) => expect(parseTemplateName(name)).toBeUndefined())
})
