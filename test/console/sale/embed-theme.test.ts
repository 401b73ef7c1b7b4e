import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import {
  isUsable,
  lowestContrast,
  propertiesOf,
  themeColours,
  themeText,
  usualTheme,
} from '../../../console/sale/embed-text.ts'

describe('the look of the elements that the console offers', () => {
  it('begins with the colours that the elements have, on light and on dark screens', async () => {
    const look = await readFile(new URL('../../../client/elements/look.ts', import.meta.url), 'utf8')
    const [light = '', dark = ''] = look.split('@media(prefers-color-scheme:dark)')
    const shortened = (colour: string) => colour.replace('#ffffff', '#fff')
    for (const { property, ...usual } of Object.values(themeColours)) {
      expect(light).toContain(`var(${property},${shortened(usual.light)})`)
      expect(dark).toContain(`var(${property},${usual.dark})`)
    }
    expect(lowestContrast(usualTheme)).toBeGreaterThanOrEqual(4.5)
  })

  it('is a rule with the properties that are set and can be used, and no rule without one', () => {
    expect(themeText('sale', usualTheme)).toBe('')
    const theme = { ...usualTheme, accent: ' #0B6E4F ', surface: 'red', radius: '04' }
    expect(propertiesOf(theme)).toEqual([
      ['--sluice-accent', '#0b6e4f'],
      ['--sluice-radius', '4px'],
    ])
    expect(themeText('button', theme)).toBe('sluice-button {\n  --sluice-accent: #0b6e4f;\n  --sluice-radius: 4px;\n}')
  })

  it.each([
    ['accent', '#0b6e4', false],
    ['accent', '#0b6e4f;}', false],
    ['text', '', true],
    ['radius', '40', true],
    ['radius', '41', false],
    ['radius', '-1', false],
    ['radius', '4px', false],
  ] as const)('takes for %s the text “%s”: %s', (name, text, expected) => {
    expect(isUsable(name, text)).toBe(expected)
  })

  it('warns of a colour that is readable on light screens alone, because it holds on both', () => {
    const green = { ...usualTheme, accent: '#0b6e4f' }
    expect(lowestContrast(green)).toBeLessThan(4.5)
    expect(lowestContrast({ ...green, accentText: '#ffffff' })).toBeGreaterThanOrEqual(4.5)
  })
})
