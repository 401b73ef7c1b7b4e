/** The form for giving one order back, paid or not. */
import { parseOrderId } from '../../../../core/ids.ts'
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { make, setText } from '../../lib/dom.ts'
import { clearWhenRight } from '../../lib/labelled.ts'
import { foldedPanel } from '../lib/folded-panel.ts'
import { sayFor } from '../lib/kind-words.ts'
import { refund } from '../sale/repairs.ts'
import type { ViewContext } from '../view.ts'

/** `onDone` is called once an order was given back. */
export function refundPanel(context: ViewContext, kind: SaleKind, onDone: () => void): HTMLElement {
  const { voice } = context
  const say = sayFor(voice, kind)
  const input = make('input', {
    id: 'refund-order',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    'aria-describedby': 'refund-error',
  })
  const error = make('p', { class: 'field__error', id: 'refund-error' })
  const button = make(
    'button',
    { type: 'submit', class: 'button button--plain', id: 'refund' },
    say('refund.do'),
  )
  let busy = false

  const entered = () => parseOrderId(input.value.trim())

  function complain(text: string): void {
    input.setAttribute('aria-invalid', String(text !== ''))
    setText(error, text)
  }

  async function send(): Promise<void> {
    const orderId = entered()
    complain(orderId === undefined ? voice.t('refund.wrong') : '')
    if (orderId === undefined) return input.focus()
    if (busy) return
    busy = true
    const done = await refund(context, orderId)
    busy = false
    if (!done) return
    input.value = ''
    onDone()
  }

  const submit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  const form = make(
    'form',
    { class: 'refund', novalidate: true, submit },
    make(
      'div',
      { class: 'field' },
      make('label', { for: 'refund-order' }, voice.t('refund.order')),
      input,
      error,
    ),
    button,
  )
  clearWhenRight(form, { input, complain }, () => entered() !== undefined)
  return foldedPanel({ id: 'refund-panel', title: say('refund.title'), text: say('rare.refund') }, form)
}
