/** What can be done to the orders that are chosen in the table: each one by its own call, so that one that is refused stops no other. */
import { useState } from 'preact/hooks'
import type { FoundOrder } from '../../../../core/api/control-answers.ts'
import { maxShipmentLines } from '../../../../core/api/shipment-lines.ts'
import type { OrderId } from '../../../../core/ids.ts'
import { slicesOf } from '../../../../core/lib/slices.ts'
import { formatSums } from '../../../../core/money.ts'
import { isPaid } from '../../../../core/orders/order.ts'
import { parseCarrier } from '../../../../core/orders/shipment.ts'
import { control } from '../api.ts'
import { askBefore } from '../lib/ask-before.ts'
import { useEntryForm } from '../lib/entry-form.ts'
import { Form, TextField } from '../lib/field.tsx'
import { joinSentences } from '../lib/kind-words.ts'
import { useOneAtATime, WorkButton } from '../lib/work-button.tsx'
import { failureText, useView } from '../view.ts'
import { isOverLimit, useRefundLimits } from './refund-limit.ts'

/** `done` is called with those that were changed. */
type Props = { orders: readonly FoundOrder[]; done(orderIds: readonly OrderId[]): void }

export function ChosenOrders({ orders, done }: Props) {
  const { voice, may, announce, isLeft } = useView()
  const n = orders.length
  const limits = useRefundLimits(orders)
  const refunded = orders.filter((order) => !isOverLimit(order, limits))
  const overLimit = n - refunded.length

  async function refundAll(): Promise<void> {
    const n = refunded.length
    const effects = [voice.t('table.sum', { money: paidText() }), voice.t('table.unpaid'), voice.t('effect.final')]
    const choice = { value: 'refund', label: voice.t('table.refund', { n }), kind: 'danger' } as const
    if (!(await askBefore(voice, { title: voice.t('table.askRefund', { n }), effects, choice }))) return
    const changed: OrderId[] = []
    let why = ''
    for (const { orderId } of refunded) {
      announce(voice.t('table.refunding', { done: changed.length, total: n }))
      const answer = await control.refund({ orderId })
      if (isLeft()) return
      if (answer.ok) changed.push(orderId)
      else why = failureText(voice, answer.reply)
    }
    done(changed)
    announce(
      changed.length === n
        ? voice.t('table.refunded', { n })
        : voice.t('table.notRefunded', { n: n - changed.length, total: n, why }),
    )
  }

  function paidText(): string {
    const sums: Record<string, number> = {}
    for (const { currency, amount } of refunded.filter(isPaid)) sums[currency] = (sums[currency] ?? 0) + amount
    return formatSums(sums, voice.locale()) || '0'
  }

  if (n === 0) return null
  return (
    <div class="row chosen" id="chosen-orders">
      <p role="status">{voice.t('table.chosen', { n })}</p>
      {may('refund') && overLimit > 0 && <p data-over-limit>{voice.t('table.overLimit', { n: overLimit })}</p>}
      {may('refund') && refunded.length > 0 && (
        <WorkButton id="refund-chosen" look="danger" work={refundAll}>
          {voice.t('table.refund', { n: refunded.length })}
        </WorkButton>
      )}
      {may('ship') && <ShipForm {...{ orders, done }} />}
    </div>
  )
}

/** Marks these orders as shipped with one carrier. */
export function ShipForm({ orders, done }: Props) {
  const { voice, announce, isLeft } = useView()
  const [texts, setTexts] = useState({ carrier: '' })
  const { complain, input } = useEntryForm('', () => ({ label: voice.t('table.carrier') }), texts, setTexts)
  const n = orders.length
  const [ship] = useOneAtATime(async () => {
    const by = parseCarrier(texts.carrier.trim())
    if (by === undefined) return complain('carrier', voice.t('table.wrongCarrier'))
    const choice = { value: 'ship', label: voice.t('table.ship', { n }), kind: 'main' } as const
    const effects = [voice.t('table.shipEffect', { carrier: by })]
    if (!(await askBefore(voice, { title: voice.t('table.askShip', { n }), effects, choice }))) return
    const changed: OrderId[] = []
    for (const [saleId, ofSale] of Map.groupBy(orders, (order) => order.saleId)) {
      for (const some of slicesOf(ofSale, maxShipmentLines)) {
        const lines = some.map(({ orderId }) => ({ orderId, carrier: by, status: 'shipped' as const }))
        const answer = await control.ship({ saleId, body: { lines } })
        if (isLeft()) return
        if (!answer.ok) return finish(changed, failureText(voice, answer.reply))
        const sent = answer.value.lines.filter(({ code }) => code === 'shipped' || code === 'repeat')
        changed.push(...sent.map(({ orderId }) => orderId))
      }
    }
    const left = n - changed.length
    const news = [
      voice.t('table.shipped', { n: changed.length, total: n }),
      ...(left === 0 ? [] : [voice.t('table.notShipped', { n: left })]),
    ]
    finish(changed, joinSentences(voice, news))
  })

  function finish(changed: readonly OrderId[], news: string): void {
    done(changed)
    announce(news)
  }

  return (
    <Form class="row chosen__ship" submit={ship}>
      <TextField {...input('carrier')} />
      <button type="submit" class="button button--plain" id="ship-chosen">
        {voice.t('table.ship', { n })}
      </button>
    </Form>
  )
}
