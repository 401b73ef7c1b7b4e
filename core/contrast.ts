/**
 * The contrast ratio of two colours by WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio), and the shades of a
 * shop's accent colour. Colours are `#rrggbb`.
 */

export const schemes = ['light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

/** Minimum contrast of text (https://www.w3.org/TR/WCAG22/#contrast-minimum). */
export const minContrast = 4.5

/** The backgrounds of an accent: `--paper`, `--card` and `--sunken` of `static/styles/tokens.css`. */
export const surfaces: Readonly<Record<Scheme, readonly string[]>> = {
  light: ['#f6f4ee', '#fffefb', '#ebe7dd'],
  dark: ['#141312', '#1e1c1a', '#2b2825'],
}

type Channels = readonly number[]

const channelsOf = (colour: string): Channels => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

const toHex = (channels: Channels): string =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`

/** Returns the relative luminance, from 0 (black) to 1 (white). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns a ratio from 1 (the same colour) to 21 (black on white). */
export function contrastRatio(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Returns black or white, whichever has more contrast to `colour`. */
export const textColourOn = (colour: string): string =>
  contrastRatio('#000000', colour) > contrastRatio('#ffffff', colour) ? '#000000' : '#ffffff'

/**
 * Returns the lowest contrast of an accent with its text, the page and the cards. It is rounded down to two decimals, so
 * that a ratio below the minimum is never shown as the minimum.
 */
export function accentContrast(accent: string, scheme: Scheme): number {
  const [paper = '', card = ''] = surfaces[scheme]
  const lowest = Math.min(...[textColourOn(accent), paper, card].map((other) => contrastRatio(accent, other)))
  return Math.floor(lowest * 100) / 100
}

/** Returns a mix of `share` parts of `over` and `1 - share` parts of `under`. */
function mixColours(over: string, under: string, share: number): string {
  const below = channelsOf(under)
  return toHex(channelsOf(over).map((channel, at) => channel * share + (below[at] ?? 0) * (1 - share)))
}

const washShare: Readonly<Record<Scheme, number>> = { light: 0.1, dark: 0.15 }

/** `deep` is a text colour, also on `wash`, which has an alpha channel. `ink` is the text colour on the accent. */
export type AccentShades = { accent: string; deep: string; ink: string; wash: string }

/** Returns the shades of an accent. `deep` is the accent darkened or lightened until it is readable on all surfaces. */
export function shadesOf(accent: string, scheme: Scheme): AccentShades {
  const share = washShare[scheme]
  const washed = surfaces[scheme].map((surface) => mixColours(accent, surface, share))
  const away = scheme === 'light' ? '#000000' : '#ffffff'
  const steps = Array.from({ length: 18 }, (_, step) => mixColours(away, accent, 0.15 + step * 0.05))
  const deep = steps.find((one) =>
    [...washed, ...surfaces[scheme]].every((under) => contrastRatio(one, under) >= minContrast),
  )
  const alpha = Math.round(share * 255)
  return {
    accent,
    deep: deep ?? away,
    ink: textColourOn(accent),
    wash: `${accent}${alpha.toString(16).padStart(2, '0')}`,
  }
}
