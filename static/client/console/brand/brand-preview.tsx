/** The brand while it is entered: a header, a price and a button, on a light and on a dark screen. */
import { isColour } from '../../../../core/brand.ts'
import { accentContrast, minContrast, type Scheme, schemes, shadesOf, surfaces } from '../../../../core/contrast.ts'
import { addressOf } from '../../../../core/sale/pictures.ts'
import { brandFormMessages } from '../../../messages/catalogues.ts'
import { useViewWith } from '../view-place.ts'

type Shown = { name: string; logo: string | undefined; colours: Readonly<Record<Scheme, string>> }

export function BrandPreview(shown: Shown) {
  return (
    <div class="brand-previews">
      {schemes.map((scheme) => (
        <SchemePreview key={scheme} scheme={scheme} {...shown} />
      ))}
    </div>
  )
}

function SchemePreview({ scheme, name, logo, colours }: Shown & { scheme: Scheme }) {
  const { voice } = useViewWith(brandFormMessages)
  const accent = colours[scheme]
  const isGiven = isColour(accent)
  const { accent: fill, deep, ink } = shadesOf(isGiven ? accent : usual[scheme], scheme)
  const ratio = isGiven ? accentContrast(accent, scheme) : undefined
  const isLow = ratio !== undefined && ratio < minContrast
  const contrast = isLow ? 'brand.contrastLow' : 'brand.contrast'
  return (
    <figure>
      <figcaption>{voice.t(`brand.${scheme}`)}</figcaption>
      <div
        class="brand-preview"
        data-scheme={scheme}
        style={{ background: surfaces[scheme][0] ?? '', color: textColours[scheme] }}
      >
        <strong class="brand-preview__mark">
          {logo === undefined ? name : <img src={addressOf(logo, 160)} alt={name} height={36} />}
        </strong>
        <span class="brand-preview__price" style={{ color: deep }}>
          {voice.money(2400, 'EUR')}
        </span>
        <span class="button" style={{ background: fill, color: ink }}>
          {voice.t('brand.sampleButton')}
        </span>
      </div>
      <p class={`field__hint ${isLow ? 'field__error' : ''}`} role="status" data-contrast={scheme}>
        {ratio !== undefined && voice.t(contrast, { ratio: ratio.toFixed(2) })}
      </p>
    </figure>
  )
}

/** `--accent` and `--ink` of `static/styles/base.css`. */
export const usual: Readonly<Record<Scheme, string>> = { light: '#bf3617', dark: '#ff8a69' }
const textColours: Readonly<Record<Scheme, string>> = { light: '#1d1b18', dark: '#f4f0e8' }
