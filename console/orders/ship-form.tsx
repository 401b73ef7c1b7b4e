/** Marks orders as shipped: some with one carrier, a single one also with its tracking number and the link to follow it. */
import { useState } from 'preact/hooks'
import type { FoundOrder } from '../../core/api/control-answers.ts'
import { isChangedLine, maxShipmentLines } from '../../core/api/shipment-lines.ts'
import type { OrderId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { carrierNames, trackingUrl } from '../../core/orders/carriers.ts'
import { type Dispute, isContested } from '../../core/orders/order.ts'
import { parseCarrier, parseLink, parseTracking } from '../../core/orders/shipment.ts'
import { control } from '../api.ts'
import { askBefore } from '../parts/ask-before.ts'
import { useEntryForm } from '../parts/entry-form.ts'
import { Form, SubmitButton, TextField, verbatim } from '../parts/field.tsx'
import { joinSentences, type Key } from '../parts/kind-words.ts'
import { failureText, useView } from '../view.ts'

type Sendable = Pick<FoundOrder, 'status' | 'coupons' | 'orderNumber'> & {
  dispute?: Pick<Dispute, 'state'> | undefined
}

/** True when the order can be marked as shipped or its shipment corrected. Coupons and disputed orders are not shipped. */
export function canShip({ status, coupons, orderNumber, dispute }: Sendable): boolean {
  const isSendable = status === 'shipped' || (['paid', 'fulfilled'].includes(status) && !isContested({ dispute }))
  return isSendable && coupons === undefined && orderNumber !== undefined
}

/** `done` is called with those that were changed. */
type Props = { orders: readonly FoundOrder[]; done(orderIds: readonly OrderId[]): void }

type Name = 'carrier' | 'tracking' | 'link'

const readers = { carrier: parseCarrier, tracking: parseTracking, link: parseLink } as const

export function ShipForm({ orders, done }: Props) {
  const { voice, announce, isLeft } = useView()
  const n = orders.length
  const only = n === 1 ? orders[0] : undefined
  const [texts, setTexts] = useState({ carrier: '', tracking: '', link: '', ...only?.shipment })
  const words = (name: Name) => ({ label: voice.t(`table.${name}`) })
  const prefix = only === undefined ? '' : `${only.orderId}.`
  const { complain, input } = useEntryForm(prefix, words, texts, setTexts)
  const act: Key = only?.status === 'shipped' ? 'ship.code.corrected' : 'table.ship'

  /** Returns the entered shipment; shows an error and returns undefined if it is invalid. */
  function shipmentIn() {
    const [carrier, tracking, link] = (['carrier', 'tracking', 'link'] as const).map((name) => {
      const text = texts[name].trim()
      return text === '' && name !== 'carrier' ? '' : readers[name](text)
    })
    if (carrier === undefined) return complain('carrier', voice.t('table.wrongCarrier'))
    if (only === undefined) return { carrier }
    if (tracking === undefined) return complain('tracking', voice.t('table.wrongTracking'))
    if (link === undefined) return complain('link', voice.t('table.wrongLink'))
    return { carrier, ...(tracking !== '' && { tracking }), ...(link !== '' && { link }) }
  }

  async function ship(): Promise<void> {
    const by = shipmentIn()
    if (by === undefined) return
    const choice = { value: 'ship', label: voice.t(act, { n }), kind: 'main' } as const
    const { carrier, tracking } = by
    const url = trackingUrl(by)
    const effects = [
      voice.t('table.shipEffect', { carrier }),
      only === undefined ? voice.t('table.shipLater') : tracking && `${voice.t('table.tracking')}: ${tracking}`,
      url,
    ].filter((effect) => effect !== undefined)
    if (!(await askBefore(voice, { title: voice.t('table.askShip', { n }), effects, choice }))) return
    announce(voice.t('do.working'))
    const changed: OrderId[] = []
    for (const [saleId, ofSale] of Map.groupBy(orders, (order) => order.saleId)) {
      for (const some of slicesOf(ofSale, maxShipmentLines)) {
        const lines = some.map(({ orderId }) => ({ orderId, ...by, status: 'shipped' as const }))
        const answer = await control.ship({ saleId, body: { lines } })
        if (isLeft()) return
        if (!answer.ok) return finish(changed, failureText(voice, answer.reply))
        const sent = answer.value.lines.filter((one) => isChangedLine(one) || one.code === 'repeat')
        changed.push(...sent.flatMap(({ orderId }) => orderId ?? []))
      }
    }
    const left = n - changed.length
    const news = [
      voice.t('table.shipped', { n: changed.length, total: n }),
      ...(left === 0 ? [] : [voice.t('table.notShipped', { n: left })]),
    ]
    finish(changed, joinSentences(voice, news))
  }

  function finish(changed: readonly OrderId[], news: string): void {
    done(changed)
    announce(news)
  }

  return (
    <Form class="row chosen__ship" submit={ship}>
      <TextField {...input('carrier')} list={`${prefix}carriers`} />
      <datalist id={`${prefix}carriers`}>
        {carrierNames.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {only !== undefined && (
        <>
          <TextField {...input('tracking')} {...verbatim} />
          <TextField {...input('link')} {...verbatim} inputmode="url" />
        </>
      )}
      <SubmitButton look="plain" id={only === undefined ? 'ship-chosen' : `ship-${only.orderId}`}>
        {voice.t(act, { n })}
      </SubmitButton>
    </Form>
  )
}
