/** Orders that a person asks about: found by their number or by the shopper, with history and payments. */
import type { FoundOrder, FoundOrders } from '../../../../core/api/control.ts'
import { parseOrderId, parseShopperId } from '../../../../core/ids.ts'
import { make } from '../../lib/dom.ts'
import { clearWhenRight, labelled } from '../../lib/labelled.ts'
import { findOrders } from '../api.ts'
import type { Leave, ViewContext } from '../view.ts'
import { orderCard } from './order-card.ts'

/** `wanted` is what the address asks for, empty for a form alone. */
export function openOrders(context: ViewContext, wanted: string): Leave {
  const { voice } = context
  let left = false
  const place = make('div', { id: 'found' })
  context.show(make('h1', {}, voice.t('console.orders')), findForm(context, wanted), place)

  async function look(after?: string): Promise<void> {
    const answer = await findOrders(wanted, after)
    if (left) return
    if (!answer.ok) {
      context.explain(answer.reply)
      return
    }
    context.announce('')
    draw(answer.value, after === undefined)
  }

  function draw({ orders, next }: FoundOrders, isFirst: boolean): void {
    const cards = orders.map((order) => orderCard(context, order, lookAgain))
    const more = next === null ? [] : [moreButton(next)]
    const none = make('p', { class: 'empty' }, voice.t('find.none'))
    if (isFirst) place.replaceChildren(...(orders.length === 0 && next === null ? [none] : cards), ...more)
    else place.append(...cards, ...more)
  }

  function moreButton(after: string): HTMLElement {
    const button = make(
      'button',
      { type: 'button', class: 'button', id: 'more-orders' },
      voice.t('find.more'),
    )
    button.addEventListener('click', () => {
      button.remove()
      void look(after)
    })
    return button
  }

  function lookAgain(order: FoundOrder): void {
    // What was announced of the order stays in sight.
    void findOrders(order.orderId).then((answer) => {
      const card = place.querySelector(`[data-order="${order.orderId}"]`)
      const [now] = answer.ok ? answer.value.orders : []
      if (!left && now !== undefined) card?.replaceWith(orderCard(context, now, lookAgain))
    })
  }

  if (wanted !== '') void look()
  return () => {
    left = true
  }
}

function findForm({ voice, go }: ViewContext, wanted: string): HTMLElement {
  const input = make('input', {
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    value: wanted,
  })
  const field = labelled('find', voice.t('find.label'), voice.t('find.hint'), input)
  const entered = () => input.value.trim()
  const isId = () => parseOrderId(entered()) !== undefined || parseShopperId(entered()) !== undefined
  const submit = (event: Event) => {
    event.preventDefault()
    field.complain(isId() ? '' : voice.t('find.wrong'))
    if (isId()) go(`#/orders/${encodeURIComponent(entered())}`)
    else input.focus()
  }
  const button = make('button', { type: 'submit', class: 'button', id: 'find' }, voice.t('find.do'))
  const props = { class: 'refund', id: 'find-form', novalidate: true, submit }
  const form = make('form', props, field.element, button)
  clearWhenRight(form, field, isId)
  return make('section', { class: 'panel' }, form)
}
