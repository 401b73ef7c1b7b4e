/** Draws the top of a sale's page: alarm, header, actions and hint. */
import type { Live } from '../../core/api/control-answers.ts'
import { pictureOf, type Sale, textIn } from '../../core/sale/sale.ts'
import { sayFor } from '../parts/kind-words.ts'
import { WorkButton } from '../parts/work-button.tsx'
import { type ConsoleVoice, useView } from '../view.ts'
import { actionButtons, type SaleAction } from './actions.ts'
import { KindTag } from './facts.tsx'
import { needsRecovery } from './notices.ts'
import { confirmRecover } from './repairs.ts'
import { type StartAdvice, startAdvice, startBadge } from './start-state.ts'

/** Its places are there before the first answer, so that screen readers read what comes into them. */
type Props = { live: Live | undefined; act(action: SaleAction): Promise<void>; refresh(): void }

export function SaleFace({ live, act, refresh }: Props) {
  const { voice } = useView()
  const advice = live && startAdvice(voice, live.sale, live.now)
  const hint = live && hintOf(voice, live.sale, advice)
  return (
    <>
      <div class="notices" id="start-alarm" role="alert">
        {live && advice?.loud && <p class="notice">{adviceText(voice, live.sale, advice)}</p>}
      </div>
      <div class="row row--apart">
        <header class="console__sale">{live && <SaleHeader live={live} />}</header>
        <div class="actions" id="actions">
          {live && <ActionButtons live={live} act={act} refresh={refresh} />}
        </div>
      </div>
      <div class="notices" id="notices" role="status">
        {hint !== undefined && <p class="notice--calm">{hint}</p>}
      </div>
    </>
  )
}

function ActionButtons({ live, act, refresh }: Props & { live: Live }) {
  const context = useView()
  const { voice, may } = context
  const say = sayFor(voice, live.sale.kind)
  const offered = actionButtons(live).filter(({ action }) => may(callOf(action)))
  return (
    <>
      {needsRecovery(live) && may('recover') && (
        <WorkButton
          key="recover"
          id="recover-now"
          look="main"
          work={() => confirmRecover(context, live.sale, live.orders).then(refresh)}
        >
          {voice.t('care.recover')}
        </WorkButton>
      )}
      {offered.map(({ action, label, look }) => (
        <WorkButton key={action} look={look} data-action={action} work={() => act(action)}>
          {say(label)}
        </WorkButton>
      ))}
    </>
  )
}

function callOf(action: SaleAction) {
  if (action === 'delete') return 'deleteSale'
  return action === 'open-now' ? 'start' : action
}

function SaleHeader({ live: { sale, phase, now } }: { live: Live }) {
  const { voice, may } = useView()
  const { text, state } = startBadge(voice, { sale, phase, now })
  const mayEdit = may('editSale')
  const links = [
    ...(mayEdit && sale.archivedAt === undefined ? (['edit'] as const) : []),
    ...(mayEdit ? (['copy'] as const) : []),
  ]
  return (
    <>
      <img src={pictureOf(sale, 120)} alt="" width={120} height={120} />
      <div>
        <p class="row">
          <span class="badge" id="phase" data-phase={phase} data-start={state}>
            {text}
          </span>
          <KindTag kind={sale.kind} />
        </p>
        <h1 dir="auto">{textIn(sale, voice.language()).title}</h1>
        <p class="console__links note">
          <a href={`/sales/${sale.saleId}/`}>{voice.t('console.page')}</a>
          {links.map((what) => [
            ' · ',
            <a key={what} href={`#/sale/${sale.saleId}/${what}`} id={what}>
              {voice.t(`do.${what}`)}
            </a>,
          ])}
        </p>
      </div>
    </>
  )
}

/** Returns the hint; a loud advice is shown as the alarm instead. */
function hintOf(voice: ConsoleVoice, sale: Sale, advice: StartAdvice | undefined): string | undefined {
  if (sale.archivedAt !== undefined) {
    return voice.t('console.archivedAt', { time: voice.moment(sale.archivedAt) })
  }
  return advice === undefined || advice.loud ? undefined : adviceText(voice, sale, advice)
}

function adviceText(voice: ConsoleVoice, sale: Sale, { key, args }: StartAdvice): string {
  const say = sayFor(voice, sale.kind)
  return say(key, { ...args, schedule: say('do.start'), openNow: say('do.open-now') })
}
