/**
 * The variants of a sale on its page (N1), of which an order has one. Their names are part of the page; what is left of
 * each is for the browser to say.
 */
import type { Language } from '../../core/language.ts'
import { type Variant, variantNameIn } from '../../core/sale/variants.ts'
import { variantSaleMessages } from '../messages/catalogues.ts'
import { type Html, html } from './html.ts'
import { ownLanguage, speaker, textsAttribute } from './say.ts'

const { say, text } = speaker(variantSaleMessages)

/** `limit` is how many units a shopper may have in all orders together. */
export function saleVariants(variants: readonly Variant[], limit: number): Html {
  const again =
    limit === 1
      ? html``
      : html`<p class="variants__again" id="variants-again">${text('variants.again', { n: limit })}</p>
`
  return html`<fieldset class="variants" id="variants"${limit === 1 ? html`` : html` aria-describedby="variants-again"`}>
<legend>${say('variants.one')}</legend>
${again}<div class="variants__list">
${variants.map(choice)}</div>
</fieldset>
`
}

function choice(variant: Variant): Html {
  return html`<label class="variant" data-id="${variant.id}"><input type="radio" name="variant" value="${variant.id}" autocomplete="off">${words(variant)}</label>
`
}

function words(variant: Variant): Html {
  const nameIn = (language: Language) => variantNameIn(variant, language)
  return html`<span class="variant__words"><span class="variant__name" id="variant-${variant.id}"${textsAttribute(nameIn)}>${nameIn(ownLanguage())}</span><span class="variant__left"></span></span>`
}
