/** One shopper: how to reach them, and their orders, payments, codes, packets and emails in one list, the newest first. */
import type { ComponentChildren } from 'preact'
import type { FoundOrder } from '../../core/api/control-answers.ts'
import type { FoundShopper } from '../../core/api/found-shopper.ts'
import type { PersonData } from '../../core/api/own-data.ts'
import type { ShopperId } from '../../core/ids.ts'
import { orderName } from '../../core/orders/order-number.ts'
import { exactMoment } from '../../templates/messages/time-text.ts'
import { erasureText, type PersonWords, savePerson } from '../../web/person-page.ts'
import { control } from '../api.ts'
import { askBefore } from '../parts/ask-before.ts'
import { FactsList } from '../parts/facts-list.tsx'
import { WorkButton } from '../parts/work-button.tsx'
import { useView } from '../view.ts'
import { statusText } from './order-card.tsx'

/** `orders` are those that are shown. */
export function ShopperPanel({ shopper, orders }: { shopper: FoundShopper; orders: readonly FoundOrder[] }) {
  const { voice } = useView()
  const { shopperId, contact, balances, credits, mails } = shopper
  const money = (amount: number, currency: string) => voice.money(amount, currency)
  const email = contact?.email ?? voice.t('shopper.noEmail')
  const address = contact?.unsubscribed ? voice.t('shopper.unsubscribed', { email }) : email
  const moments: (readonly [at: number, what: ComponentChildren])[] = [
    ...orders.map((order) => {
      const { orderId, reservedAt, quantity, amount, currency, payment, coupons } = order
      const facts = [
        statusText(voice, order),
        `${quantity.toLocaleString(voice.locale())} · ${money(amount, currency)}`,
        ...(payment === null ? [] : [`${payment.paymentId} · ${voice.t(`payment.${payment.state}`)}`]),
        ...(coupons === undefined ? [] : [`${voice.t('find.coupons')}: ${voice.t('find.redeemed', coupons)}`]),
      ]
      const link = <a href={`#/orders/${encodeURIComponent(orderId)}`}>{orderName(order)}</a>
      return [reservedAt, [link, ` · ${facts.join(' · ')}`]] as const
    }),
    ...credits.map(({ at, amount, currency, balance }) => {
      const left = voice.t('shopper.balance', { money: money(balance, currency) })
      return [at, `${voice.t('kind.red-packet')} · ${money(amount, currency)} · ${left}`] as const
    }),
    ...mails.map(({ at, kind, state, about }) => {
      const order = orders.find(({ orderId }) => orderId === about)
      const name = order === undefined ? about : orderName(order)
      return [at, `${voice.t(`mail.kind.${kind}`)} · ${voice.t(`mail.state.${state}`)} · ${name}`] as const
    }),
  ]
  return (
    <section class="panel order" id="shopper">
      <h2>{voice.t('shopper.title', { shopper: shopperId })}</h2>
      <FactsList
        rows={[
          ...(contact === undefined ? [] : [[voice.t('shopper.email'), address] as const]),
          [
            voice.t('shopper.wallet'),
            balances.map(({ amount, currency }) => money(amount, currency)).join(' · ') || voice.t('shopper.empty'),
          ],
        ]}
      />
      {moments.length > 0 && (
        <ol class="changes" id="shopper-list">
          {moments
            .toSorted(([a], [b]) => b - a)
            .map(([at, what]) => (
              <li>
                <span>{exactMoment(at, voice.locale())}</span> {what}
              </li>
            ))}
        </ol>
      )}
    </section>
  )
}

/** Exports and erases all that the shop holds of one shopper, for staff who is asked to. */
export function PersonPanel({ shopperId }: { shopperId: ShopperId }) {
  const { voice, announce, explain } = useView()
  const words = (): PersonWords => ({
    ...{ say: voice.t, time: (ms) => voice.farMoment(ms) },
    ...{ language: voice.language(), direction: document.documentElement.dir },
  })

  async function read(): Promise<PersonData | undefined> {
    const answer = await control.exportPerson({ body: { shopperId } })
    if (!answer.ok) explain(answer.reply)
    return answer.ok ? answer.value : undefined
  }

  async function save(format: 'json' | 'html'): Promise<void> {
    const data = await read()
    if (data !== undefined) savePerson(words(), data, format)
  }

  async function erase(): Promise<void> {
    const data = await read()
    if (data === undefined) return
    const effects = erasureText(words(), data.kept)
    const choice = { value: 'erase', label: voice.t('person.erase'), kind: 'danger' } as const
    if (!(await askBefore(voice, { title: voice.t('person.ask'), effects, choice }))) return
    const answer = await control.erasePerson({ body: { shopperId } })
    if (!answer.ok) return void explain(answer.reply)
    announce(voice.t(answer.value.erased.length === 0 ? 'person.nothing' : 'person.erased'))
  }

  return (
    <section class="panel">
      <h2>{voice.t('shopper.person')}</h2>
      <div class="actions" id="person">
        <WorkButton id="person-html" look="plain" work={() => save('html')}>
          {voice.t('person.html')}
        </WorkButton>
        <WorkButton id="person-json" look="plain" work={() => save('json')}>
          {voice.t('person.json')}
        </WorkButton>
        <WorkButton id="person-erase" look="danger" work={erase}>
          {voice.t('person.erase')}
        </WorkButton>
      </div>
    </section>
  )
}
