/** The form with which a marketer makes an order for a shopper: so many units, or units of variants (N1). */
import type { Live } from '../../../../core/api/control.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import type { Choice } from '../../lib/confirm.ts'
import { make, setText } from '../../lib/dom.ts'
import { clearWhenRight, type Labelled, labelled } from '../../lib/labelled.ts'
import { reserveOrder } from '../api.ts'
import { askBefore } from '../lib/ask-before.ts'
import { foldedPanel } from '../lib/folded-panel.ts'
import { orderEffects } from '../sale/effects.ts'
import { failureText, type ViewContext } from '../view.ts'
import { type ReserveLine, readOrderLine, type UnsentOrder } from './reserve-line.ts'

/** `latest` answers with the newest live numbers; `onDone` is called once there is an order. */
export function reservePanel(
  context: ViewContext,
  sale: Pick<Sale, 'saleId' | 'variants'>,
  { latest, onDone }: { latest(): Live | undefined; onDone(): void },
): HTMLElement {
  const { voice } = context
  const field = (name: string, label: string, props: Record<string, string>) =>
    labelled(`reserve.${name}`, label, '', make('input', { autocomplete: 'off', ...props }))
  const shopper = field('shopperId', voice.t('find.shopper'), { autocapitalize: 'none', spellcheck: 'false' })
  const units = new Map<string, Labelled>(
    (sale.variants ?? [{ id: 'quantity', name: voice.t('reserve.quantity') }]).map(({ id, name }) => [
      id,
      field(id, name, { inputmode: 'numeric' }),
    ]),
  )
  const result = make('p', { id: 'reserve-result', role: 'status' })
  const button = make(
    'button',
    { type: 'submit', class: 'button button--plain', id: 'reserve' },
    voice.t('reserve.do'),
  )
  let busy = false
  let sent: { text: string; key: string } | undefined

  /** The same order after a lost answer has the same key, and is made once (I5). */
  function keyOf(line: object): string {
    const text = JSON.stringify(line)
    if (sent?.text !== text) sent = { text, key: crypto.randomUUID() }
    return sent.key
  }

  function entered() {
    const typed = Object.fromEntries([...units].map(([id, { input }]) => [id, input.value]))
    return readOrderLine({ shopperId: shopper.input.value, units: typed }, sale.variants !== undefined)
  }

  async function send(): Promise<void> {
    if (busy) return
    const read = entered()
    for (const one of [shopper, ...units.values()]) one.complain('')
    if (!read.ok) return complain(read.wrong)
    busy = true
    if (await isMeant(read.line)) {
      setText(result, voice.t('do.working'))
      await reserve({ ...read.line, key: keyOf(read.line) })
    }
    busy = false
  }

  async function isMeant(line: UnsentOrder): Promise<boolean> {
    const live = latest()
    if (live === undefined) return false
    const choice: Choice = { value: 'reserve', label: voice.t('reserve.do'), kind: 'main' }
    const effects = orderEffects(voice, live, line)
    return askBefore(voice, { title: voice.t('effect.createOrder'), effects, choice })
  }

  function complain(wrong: string): void {
    const at = wrong === 'shopperId' ? shopper : units.get(wrong)
    at?.complain(voice.t(wrong === 'shopperId' ? 'reserve.noShopper' : 'reserve.noUnits'))
    at?.input.focus()
  }

  async function reserve(line: ReserveLine): Promise<void> {
    const answer = await reserveOrder(sale.saleId, line)
    const [made] = answer.ok ? answer.value.lines : []
    if (!answer.ok) return setText(result, failureText(voice, answer.reply))
    const { code, orderId } = made ?? { code: 'unavailable', orderId: null }
    const words = voice.t(`reserve.code.${code}`)
    // Without an order the same line may be sent again; with one it would only find it.
    if (orderId === null) return setText(result, words)
    sent = undefined
    const link = make('a', { href: `#/orders/${orderId}` }, orderId)
    result.replaceChildren(`${words} `, link)
    onDone()
  }

  const submit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  const form = make(
    'form',
    { class: 'reserve', novalidate: true, submit },
    shopper.element,
    make('div', { class: 'reserve__units' }, ...[...units.values()].map(({ element }) => element)),
    button,
    result,
  )
  for (const [name, field] of [['shopperId', shopper] as const, ...units]) {
    clearWhenRight(form, field, () => {
      const read = entered()
      return read.ok || read.wrong !== name
    })
  }
  return foldedPanel(
    { id: 'reserve-panel', title: voice.t('reserve.title'), text: voice.t('reserve.text') },
    form,
  )
}
