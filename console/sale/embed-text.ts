/** The code that puts a sale on a page of another site (docs/how-to/embed.md). */
import { isColour } from '../../core/brand.ts'
import { contrastRatio, schemes } from '../../core/contrast.ts'

/** `<sluice-sale>` and `<sluice-button>`. */
export type ElementKind = 'sale' | 'button'

type Embedded = { kind: ElementKind; origin: string; saleId: string; title: string }

/** The forms of the code: an element, and a place that the script fills where an editor removes unknown tags. */
export type EmbedForm = 'tags' | 'place'

/** HTML for a page of another site; `origin` is the address of the sale, `title` plain text. */
export function embedText(form: EmbedForm, { kind, origin, saleId, title }: Embedded): string {
  const name = `sluice-${kind}`
  const [open, close] =
    form === 'tags'
      ? [`<${name} sale="${saleId}" token-from="/sale-token">`, `</${name}>`]
      : [`<div data-${name}="${saleId}" data-token-from="/sale-token">`, '</div>']
  return [
    `<script async crossorigin src="${origin}/elements.js"></script>`,
    open,
    `  <a href="${origin}/sales/${saleId}/">${escaped(title)}</a>`,
    close,
  ].join('\n')
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/**
 * The look of the elements on another site: the custom properties of docs/how-to/embed.md that the console offers. Each
 * with what the elements have without it, on light and on dark screens (client/elements/look.ts).
 */
export const themeColours = {
  accent: { property: '--sluice-accent', light: '#bf3617', dark: '#ff8a69' },
  accentText: { property: '--sluice-accent-text', light: '#ffffff', dark: '#2a0c03' },
  surface: { property: '--sluice-surface', light: '#fffefb', dark: '#1e1c1a' },
  text: { property: '--sluice-text', light: '#1d1b18', dark: '#f4f0e8' },
} as const

type ThemeColour = keyof typeof themeColours
export const colourNames = Object.keys(themeColours) as ThemeColour[]

/** Typed texts: colours `#rrggbb` and the corner radius in CSS pixels; each may be empty. */
export type Theme = Readonly<Record<ThemeColour | 'radius', string>>

export const usualTheme: Theme = { accent: '', accentText: '', surface: '', text: '', radius: '' }

const maxRadius = 40

/** True when that part of the look is empty or can be used. */
export function isUsable(name: keyof Theme, typed: string): boolean {
  const text = typed.trim()
  if (text === '') return true
  return name === 'radius' ? /^\d{1,2}$/.test(text) && Number(text) <= maxRadius : isColour(text)
}

/** The custom properties that are set, with their values. */
export function propertiesOf(theme: Theme): [property: string, value: string][] {
  const isSet = (name: keyof Theme) => theme[name].trim() !== '' && isUsable(name, theme[name])
  return [
    ...colourNames
      .filter(isSet)
      .map((name): [string, string] => [themeColours[name].property, theme[name].trim().toLowerCase()]),
    ...(isSet('radius') ? [['--sluice-radius', `${Number(theme.radius)}px`] satisfies [string, string]] : []),
  ]
}

/** The rule for the style sheet of the other site; empty without a property. */
export function themeText(kind: ElementKind, theme: Theme): string {
  const lines = propertiesOf(theme).map(([property, value]) => `  ${property}: ${value};`)
  return lines.length === 0 ? '' : [`sluice-${kind} {`, ...lines, '}'].join('\n')
}

/**
 * The lowest contrast of the texts, on light and dark screens: a colour that is set holds on both. Cut after the second
 * decimal, so that a ratio below the minimum never reads like it.
 */
export function lowestContrast(theme: Theme): number {
  const ratios = schemes.flatMap((scheme) => {
    const colour = (name: ThemeColour) => {
      const typed = theme[name].trim()
      return isColour(typed) ? typed : themeColours[name][scheme]
    }
    return [contrastRatio(colour('accentText'), colour('accent')), contrastRatio(colour('text'), colour('surface'))]
  })
  return Math.floor(Math.min(...ratios) * 100) / 100
}
