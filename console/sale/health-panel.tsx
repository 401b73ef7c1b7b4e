/** Shows the health of a sale in one sentence, with its details and repairs below. */
import type { Live } from '../../core/api/control-answers.ts'
import type { Arguments } from '../../templates/messages/text.ts'
import { joinSentences, type Say, sayFor, type Translator } from '../parts/kind-words.ts'
import { TileRow } from '../parts/tiles.tsx'
import { WorkButton } from '../parts/work-button.tsx'
import { useView } from '../view.ts'
import { repeatOf } from './actions.ts'
import { canRecover, heldBackIn, needsRecovery, noticesOf } from './notices.ts'
import { tilesOfKind } from './numbers.ts'
import { check, confirmRecover, sendAgain } from './repairs.ts'

/** `lostSince`: no answer comes any more, and the last one is of then, epoch ms. */
type Props = { live: Live; lostSince: number | undefined; refresh(): void }

export function HealthPanel({ live, lostSince, refresh }: Props) {
  const context = useView()
  const { voice, may } = context
  const { sale, orders, drift } = live
  const say = sayFor(voice, sale.kind)
  const deadLetters = live.deadLetters ?? 0
  const isLost = lostSince !== undefined
  const faults = faultTexts(voice, live)
  const others = isLost ? [] : faults.slice(1)
  const time = new Intl.DateTimeFormat(voice.locale(), { timeStyle: 'medium' })
  return (
    <details class="health" id="health" data-state={isLost ? 'unknown' : faults.length === 0 ? 'good' : 'bad'}>
      <summary>
        <span id="health-line" role="status">
          {isLost ? voice.t('health.unknown', { time: time.format(lostSince) }) : healthText(voice, faults)}
        </span>
      </summary>
      <ul class="health__more" id="health-more" hidden={others.length === 0}>
        {others.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {/* Redis has nothing of a sale that is not published or archived. */}
      <div class="care__row" hidden={!sale.warmed || sale.archivedAt !== undefined}>
        <p id="care-drift">{driftText(say, isLost ? null : drift, heldBackIn(live))}</p>
        {may('reconcile') && (
          <WorkButton id="check" look="plain" work={() => check(context, sale).then(refresh)}>
            {voice.t('care.check')}
          </WorkButton>
        )}
      </div>
      <div class="care__row" hidden={deadLetters === 0}>
        <p id="care-dead">{voice.t('care.dead', { n: deadLetters })}</p>
        {may('redrive') && (
          <WorkButton id="redrive" look="plain" work={() => sendAgain(context, deadLetters).then(refresh)}>
            {voice.t('care.sendAgain')}
          </WorkButton>
        )}
      </div>
      <TileRow live={live} names={tilesOfKind(sale.kind).health} look="tiles--small" />
      {/* While it is needed it stands among the first buttons of the page. */}
      <div class="care__row" hidden={!canRecover(live) || needsRecovery(live) || !may('recover')}>
        <p>{say('care.recoverHint')}</p>
        <WorkButton id="recover" look="danger" work={() => confirmRecover(context, sale, orders).then(refresh)}>
          {voice.t('care.recover')}
        </WorkButton>
      </div>
    </details>
  )
}

function driftText(say: Say, drift: number | null, heldBack: number): string {
  if (drift === null) return say('care.driftUnknown')
  if (drift === 0) return heldBack > 0 ? say('care.agreeHeld', { n: heldBack }) : say('care.agree')
  return say(drift > 0 ? 'care.moreInRedis' : 'care.fewerInRedis', { n: Math.abs(drift) })
}

/** Returns one sentence for each fault, the most urgent first. */
export function faultTexts(voice: Pick<Translator, 't'>, live: Live): string[] {
  const say = sayFor(voice, live.sale.kind)
  const { sale, phase, inStep, drift, deadLetters } = live
  const repeat = repeatOf({ ...sale, phase, inStep })
  const args: Arguments = repeat === undefined ? {} : { action: say('do.repeat') }
  return [
    ...noticesOf(live).map((key) => say(key, key === 'live.heldBack' ? { n: heldBackIn(live) } : args)),
    ...(drift ? [say('health.drift', { n: Math.abs(drift) })] : []),
    ...(deadLetters ? [say('health.dead', { n: deadLetters })] : []),
  ]
}

/** The first of these faults and how many more there are, or that there is no fault. */
export function healthText(voice: Pick<Translator, 't' | 'locale'>, [first, ...others]: readonly string[]): string {
  if (first === undefined) return voice.t('health.good')
  return others.length === 0 ? first : joinSentences(voice, [first, voice.t('health.more', { n: others.length })])
}
