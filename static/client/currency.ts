/**
 * The choice of a currency on the page of a sale with several prices, which loads this beside its own script. The choice is
 * remembered for other sales. A click sends what the main element says is chosen.
 */
import { currencyName, formatMoney } from '../../core/money.ts'
import { byId, openStore, setText } from './lib/dom.ts'
import { localeFor } from './lib/language.ts'

const storedCurrency = 'sluice.currency'
const store = openStore('localStorage')
const select = byId('currency', HTMLSelectElement)
const price = byId('price', HTMLDataElement)
const root = document.documentElement

const locale = () => localeFor(root.lang, navigator.languages)
const moneyOf = ({ value, dataset }: HTMLOptionElement) =>
  formatMoney({ amount: Number(dataset.price), currency: value }, locale())

/** Shows the price in the chosen currency, of as many units as are chosen. */
function show(): void {
  const [option] = select.selectedOptions
  if (option === undefined) return
  byId('main').dataset.currency = price.dataset.currency = option.value
  price.value = option.dataset.price ?? ''
  setText(price, moneyOf(option))
  document.getElementById('quantity')?.dispatchEvent(new Event('change'))
}

function speak(): void {
  for (const option of select.options) setText(option, `${currencyName(option.value, locale())} · ${moneyOf(option)}`)
}

select.addEventListener('change', () => {
  store.setItem(storedCurrency, select.value)
  show()
})
new MutationObserver(speak).observe(root, { attributeFilter: ['lang'] })
const remembered = store.getItem(storedCurrency)
if ([...select.options].some(({ value }) => value === remembered)) select.value = remembered ?? ''
select.disabled = false
speak()
show()
