/**
 * The variants of a sale on its page (N1): one of them where an order has one unit, else a number of
 * units of each. Their names are part of the page; what is left of each is for the browser to say.
 */
import type { Language } from '../../core/language.ts'
import { type Variant, variantNameIn } from '../../core/sale/variants.ts'
import { variantSaleMessages } from '../messages/catalogues.ts'
import { type Html, html } from './html.ts'
import { ownLanguage, speaker, textsAttribute } from './say.ts'

const { say, text, label } = speaker(variantSaleMessages)

/** `most` is how many units one order may have. */
export function saleVariants(variants: readonly Variant[], most: number): Html {
  const isOne = most === 1
  const sum = isOne
    ? html``
    : html`<p class="variants__sum" id="variants-sum" role="status">${text('variants.sum', { n: 0, most })}</p>
`
  return html`<fieldset class="variants" id="variants" data-most="${most}"${isOne ? html`` : html` aria-describedby="variants-sum"`}>
<legend>${say(isOne ? 'variants.one' : 'variants.several')}</legend>
${sum}<div class="variants__list variants__list--${isOne ? 'one' : 'several'}">
${variants.map(isOne ? choice : amount)}</div>
</fieldset>
`
}

function choice(variant: Variant): Html {
  return html`<label class="variant" data-id="${variant.id}"><input type="radio" name="variant" value="${variant.id}" autocomplete="off">${words(variant)}</label>
`
}

function amount(variant: Variant): Html {
  const { id } = variant
  return html`<div class="variant" data-id="${id}" role="group" aria-labelledby="variant-${id}">${words(variant)}
<div class="stepper"><button type="button" data-step="-1" ${label('quantity.less')}>−</button>
<input inputmode="numeric" pattern="[0-9]*" autocomplete="off" value="0" ${label('quantity.label')}>
<button type="button" data-step="1" ${label('quantity.more')}>+</button></div></div>
`
}

function words(variant: Variant): Html {
  const nameIn = (language: Language) => variantNameIn(variant, language)
  return html`<span class="variant__words"><span class="variant__name" id="variant-${variant.id}"${textsAttribute(nameIn)}>${nameIn(ownLanguage())}</span><span class="variant__left"></span></span>`
}
