/** What happened to one shopper beside the orders: how to reach them, why they got no units, e-mails and wallet. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Live } from '../../../../core/api/control-answers.ts'
import type { ShopperStory } from '../../../../core/api/shopper-story.ts'
import { type Sale, textIn } from '../../../../core/sale/sale.ts'
import { shopperStoryMessages } from '../../../messages/catalogues.ts'
import { getLive, listSales } from '../api.ts'
import { demandText } from '../gate/demand-reasons.ts'
import { FactsList } from '../lib/facts-list.tsx'
import { SelectField } from '../lib/field.tsx'
import { FoldedPanel } from '../lib/folded-panel.tsx'
import { useViewWith } from '../view-place.ts'
import { PersonPanel } from './person-panel.tsx'

export function Story({ story }: { story: ShopperStory }) {
  const { voice, may } = useViewWith(shopperStoryMessages)
  const { shopperId, contact, balances, credits, mails, answers } = story
  const money = ({ amount, currency }: { amount: number; currency: string }) => voice.money(amount, currency)
  const email = contact?.email ?? voice.t('story.noEmail')
  return (
    <section class="panel order" id="story">
      <h2>{voice.t('story.title', { shopper: shopperId })}</h2>
      <FactsList
        rows={[
          ...(contact === undefined
            ? []
            : [
                [
                  voice.t('story.email'),
                  contact?.unsubscribed ? voice.t('story.unsubscribed', { email }) : email,
                ] as const,
              ]),
          [voice.t('story.wallet'), balances.map(money).join(' · ') || voice.t('story.empty')],
        ]}
      />
      <h3>{voice.t('story.answers')}</h3>
      <Moments
        id="story-answers"
        none={voice.t('story.noAnswers')}
        rows={answers.map(({ at, saleId, code }) => [
          at,
          <>
            {demandText(voice, code)} · <a href={`#/sale/${saleId}`}>{saleId}</a>
          </>,
        ])}
      />
      {answers.length > 0 && <p class="field__hint">{voice.t('story.sampled')}</p>}
      <WhyNot />
      {may('erasePerson') && <PersonPanel shopperId={shopperId} />}
      <h3>{voice.t('story.mails')}</h3>
      <Moments
        id="story-mails"
        none={voice.t('story.noMails')}
        rows={mails.map(({ at, kind, state, about }) => [
          at,
          `${voice.t(`mail.kind.${kind}`)} · ${voice.t(`mail.state.${state}`)} · ${about}`,
        ])}
      />
      {credits.length > 0 && <h3>{voice.t('story.movements')}</h3>}
      {credits.length > 0 && (
        <Moments
          id="story-wallet"
          none=""
          rows={credits.map(({ at, amount, currency, balance }) => [
            at,
            `${voice.money(amount, currency)} · ${voice.t('story.balance', { money: voice.money(balance, currency) })}`,
          ])}
        />
      )}
    </section>
  )
}

type MomentsProps = {
  id: string
  none: string
  rows: readonly (readonly [at: number, what: ComponentChildren])[]
}

/** What happened when, the newest first. */
function Moments({ id, none, rows }: MomentsProps) {
  const { voice } = useViewWith(shopperStoryMessages)
  if (rows.length === 0) return <p id={id}>{none}</p>
  return (
    <ol class="changes" id={id}>
      {rows.map(([at, what]) => (
        <li>
          <span>{momentOf(at, voice.locale())}</span> {what}
        </li>
      ))}
    </ol>
  )
}

/** With seconds: in a sale they decide. */
const momentOf = (at: number, locale: string) =>
  new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'long' })

/** How the requests for one sale ended, and how long after the start of its present round nothing was left. */
type Ended = { demand: Live['demand']; goneAfterMs: number | null }

/** The general answer, for a shopper of whom the sample has nothing. */
function WhyNot() {
  const { voice, explain, isLeft } = useViewWith(shopperStoryMessages)
  const [sales, setSales] = useState<readonly Sale[]>()
  const [chosen, setChosen] = useState('')
  const [ended, setEnded] = useState<Ended>()

  async function readSales(isOpen: boolean): Promise<void> {
    if (!isOpen || sales !== undefined) return
    const answer = await listSales({})
    if (isLeft()) return
    if (!answer.ok) return void explain(answer.reply)
    setSales(answer.value.sales)
  }

  async function choose(saleId: string): Promise<void> {
    setChosen(saleId)
    setEnded(undefined)
    if (saleId === '') return
    const live = await getLive(saleId)
    if (isLeft()) return
    if (!live.ok) return void explain(live.reply)
    const { sale, demand, soldOut } = live.value
    setEnded({ demand, goneAfterMs: soldOut[sale.windowIndex] ?? null })
  }

  return (
    <FoldedPanel
      id="story-why"
      title={voice.t('story.why')}
      text={voice.t('story.whyText')}
      toggle={(isOpen) => void readSales(isOpen)}
    >
      <SelectField
        field={{ name: 'why-sale', label: voice.t('story.sale') }}
        options={[
          ['', voice.t('story.choose')],
          ...(sales ?? []).map((sale) => [sale.saleId, textIn(sale, voice.language()).title] as const),
        ]}
        value={chosen}
        enter={(saleId) => void choose(saleId)}
      />
      <div id="story-ended" role="status">
        {ended !== undefined && <Endings {...ended} />}
      </div>
    </FoldedPanel>
  )
}

function Endings({ demand, goneAfterMs }: Ended) {
  const { voice } = useViewWith(shopperStoryMessages)
  if (demand === null || demand.asked + demand.decided === 0) return <p>{voice.t('story.notCounted')}</p>
  const total = demand.won + demand.refused.reduce((sum, { count }) => sum + count, 0)
  const said = [
    voice.t('story.got', { n: demand.won, total }),
    ...demand.refused.map(({ reason, count }) =>
      voice.t('story.refused', { n: count, total, reason: demandText(voice, reason) }),
    ),
    ...(goneAfterMs === null
      ? []
      : [voice.t('story.gone', { s: (goneAfterMs / 1000).toLocaleString(voice.locale()) })]),
  ]
  return (
    <>
      <ul>
        {said.map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
      <p class="field__hint">{voice.t('story.before')}</p>
    </>
  )
}
