import { expect, it } from 'vitest'
import { formatMoney } from '../../../core/money.ts'
import { totalPrice } from '../../../static/sale/quantity.ts'
import { saleMessages } from '../../../templates/messages/catalogues.ts'
import { type Arguments, words } from '../../../templates/messages/text.ts'

const inEuros = (value: string, id = '') => ({ id, value, dataset: { currency: 'EUR' }, textContent: '' })
const voice = {
  t: (key: 'quantity.total', args: Arguments) => words(saleMessages[key], 'en', args),
  money: (amount: number, currency: string) => formatMoney({ amount, currency }, 'en'),
}

it('the price beside a quantity is the total of the units, and so is the regular price beside it', () => {
  const [price, regular] = [inEuros('1000', 'price'), inEuros('1500')]
  const write = totalPrice(voice, [price, regular])
  const shown = () => [price.textContent, regular.textContent]
  write(2)
  expect(shown()).toEqual(['Total €20.00', '€30.00'])
  write(1)
  expect(shown()).toEqual(['€10.00', '€15.00'])
  // Nothing chosen: the price of one.
  write(0)
  expect(shown()).toEqual(['€10.00', '€15.00'])
})
