import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accentContrast,
  contrastRatio,
  minContrast,
  schemes,
  shadesOf,
  surfaces,
  textColourOn,
} from '../../core/contrast.ts'

const colours = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`)

describe('the contrast of two colours', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#767676', '#ffffff', 4.54],
    ['#ffffff', '#777777', 4.48],
    ['#0000ff', '#ffffff', 8.59],
    ['#ff0000', '#ffffff', 4.0],
    ['#bf3617', '#bf3617', 1],
  ])('of %s and %s is %d:1, as WCAG 2.2 defines it', (one, other, ratio) => {
    expect(contrastRatio(one, other)).toBeCloseTo(ratio, 2)
    expect(contrastRatio(other, one)).toBe(contrastRatio(one, other))
  })

  it('of any colour with its text is enough to read', () => {
    fc.assert(fc.property(colours, (colour) => contrastRatio(colour, textColourOn(colour)) >= minContrast))
  })
})

/** Returns the colour that a browser shows for one with an alpha channel. */
function drawnOver(surface: string, wash: string): string {
  const alpha = Number.parseInt(wash.slice(7), 16) / 255
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) => Math.round(alpha * channel(wash, at) + (1 - alpha) * channel(surface, at)))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

describe('an accent', () => {
  it('stands on the surfaces that the style sheet has', () => {
    const [light = '', dark = ''] = readFileSync('static/styles/tokens.css', 'utf8').split(
      '@media (prefers-color-scheme: dark)',
    )
    for (const [css, scheme] of [[light, 'light'] as const, [dark, 'dark'] as const]) {
      const named = ['paper', 'card', 'sunken'].map((name) => new RegExp(`--${name}: (#\\w+);`).exec(css)?.[1])
      expect(named).toEqual(surfaces[scheme])
      expect(accentContrast(/--accent: (#\w+);/.exec(css)?.[1] ?? '', scheme)).toBeGreaterThanOrEqual(minContrast)
    }
  })

  it('that is just too pale has less than the minimum also as it is written', () => {
    expect(accentContrast('#d9663f', 'light')).toBeLessThan(minContrast)
    expect(accentContrast('#ffffff', 'light')).toBe(1)
  })

  it('gives shades in which text can be read on every surface and on its wash', () => {
    for (const scheme of schemes) {
      fc.assert(
        fc.property(colours, (accent) => {
          const { deep, ink, wash } = shadesOf(accent, scheme)
          expect(wash).toMatch(/^#[0-9a-f]{8}$/)
          for (const surface of surfaces[scheme]) {
            expect(contrastRatio(deep, surface)).toBeGreaterThanOrEqual(minContrast)
            // The alpha channel has 255 steps.
            expect(contrastRatio(deep, drawnOver(surface, wash))).toBeGreaterThan(minContrast - 0.1)
          }
          expect(contrastRatio(accent, ink)).toBeGreaterThanOrEqual(minContrast)
        }),
      )
    }
  })
})
