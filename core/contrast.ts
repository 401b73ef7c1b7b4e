/**
 * Contrast of two colours by WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio), and the shades
 * that follow from a shop's accent. Colours are `#rrggbb`.
 */

export const schemes = ['light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

/** The least contrast of text (https://www.w3.org/TR/WCAG22/#contrast-minimum). */
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

/** Between 0 (black) and 1 (white). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 (the same colour) to 21 (black on white). */
export function contrastRatio(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Black or white: the one that reads better on `colour`. */
export const textColourOn = (colour: string): string =>
  contrastRatio('#000000', colour) > contrastRatio('#ffffff', colour) ? '#000000' : '#ffffff'

/**
 * The lowest contrast that an accent has: with the text on it, and with the page and its cards. Cut
 * after the second decimal, so that a ratio below the minimum never reads like it.
 */
export function accentContrast(accent: string, scheme: Scheme): number {
  const [paper = '', card = ''] = surfaces[scheme]
  const lowest = Math.min(...[textColourOn(accent), paper, card].map((other) => contrastRatio(accent, other)))
  return Math.floor(lowest * 100) / 100
}

/** `share` of `over` on what is left of `under`. */
function mixColours(over: string, under: string, share: number): string {
  const below = channelsOf(under)
  return toHex(channelsOf(over).map((channel, at) => channel * share + (below[at] ?? 0) * (1 - share)))
}

const washShare: Readonly<Record<Scheme, number>> = { light: 0.1, dark: 0.15 }

/** `deep` is for text, also on `wash`, which has an alpha channel; `ink` is for text on the accent. */
export type AccentShades = { accent: string; deep: string; ink: string; wash: string }

/** Returns the shades of an accent: `deep` moves away from the surfaces until text in it is readable on them. */
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
