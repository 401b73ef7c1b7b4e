/**
 * The import of tracking numbers: checks a file and shows what each line does, the lines that cannot
 * be imported first, and imports it once that was confirmed.
 */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isChange, type ShipmentLine } from '../../../../core/api/shipment-lines.ts'
import {
  inReadingOrder,
  isRefused,
  type LineResult,
  readShipmentFile,
  type ShipmentFile,
  sendShipments,
} from '../../../../core/orders/shipment-file.ts'
import { control } from '../api.ts'
import { focusResult, IgnoredColumns, ResultTable, useCsvField } from '../lib/csv-import.tsx'
import { FoldedPanel } from '../lib/folded-panel.tsx'
import { WorkButton } from '../lib/work-button.tsx'
import { failureText } from '../view.ts'
import { useView } from '../view-place.ts'

/** `lookAgain` is called after an import. */
type Props = { saleId: string; isHidden: boolean; lookAgain(): void }

export function ShipmentPanel({ saleId, isHidden, lookAgain }: Props) {
  const { voice, announce, isLeft } = useView()
  const [result, setResult] = useState<ComponentChildren>()
  const [field, readFile] = useCsvField(
    { name: 'shipments', label: voice.t('ship.file'), hint: voice.t('ship.hint') },
    readShipmentFile,
  )

  /** Sends the lines; undefined once the view was left, or when a call failed. */
  async function send(
    lines: ShipmentFile['sendable'],
    dryRun: boolean,
  ): Promise<{ results: LineResult[]; isWhole: boolean } | undefined> {
    const say = (done: number) => {
      if (!isLeft()) announce(voice.t(dryRun ? 'ship.checking' : 'ship.busy', { done, total: lines.length }))
    }
    say(0)
    let trouble: string | undefined
    const call = async (some: readonly ShipmentLine[]) => {
      if (isLeft()) return undefined
      const answer = await control.ship({ saleId, body: { lines: some, dryRun } })
      if (!answer.ok) trouble = failureText(voice, answer.reply)
      return answer.ok ? answer.value.lines : undefined
    }
    const results = await sendShipments(lines, call, say)
    if (isLeft()) return undefined
    if (trouble !== undefined) announce(trouble)
    return { results, isWhole: trouble === undefined }
  }

  async function check(): Promise<void> {
    setResult(undefined)
    announce('')
    const file = await readFile()
    if (file === undefined) return
    const checked = await send(file.sendable, true)
    if (checked === undefined || !checked.isWhole) return
    announce('')
    offer(file, [...file.refused, ...checked.results])
  }

  function offer({ sendable, ignored }: ShipmentFile, lines: readonly LineResult[]): void {
    const changing = new Set(lines.filter(isChange).map(({ line }) => line))
    const n = changing.size
    const wrong = lines.filter(isRefused).length
    setResult(
      <>
        <p id="ship-ready" tabIndex={-1} ref={focusResult}>
          {voice.t('ship.ready', { n, same: lines.length - n - wrong, wrong })}
        </p>
        <IgnoredColumns columns={ignored} />
        <ShipmentTable lines={lines} />
        {n > 0 && (
          <>
            <p id="ship-effect">{voice.t('effect.ship', { n })}</p>
            <p class="actions">
              <WorkButton
                id="ship-do"
                look="main"
                work={() => carryOut(sendable.filter(({ line }) => changing.has(line)))}
              >
                {voice.t('ship.do', { n })}
              </WorkButton>
            </p>
          </>
        )}
      </>,
    )
  }

  async function carryOut(lines: ShipmentFile['sendable']): Promise<void> {
    const sent = await send(lines, false)
    if (sent === undefined) return
    const { results, isWhole } = sent
    const n = results.filter((one) => !isRefused(one)).length
    const done = isWhole
      ? voice.t('ship.done', { n, total: lines.length })
      : voice.t('ship.stopped', { done: results.length, total: lines.length })
    if (isWhole) announce(done)
    const refused = results.filter(isRefused)
    setResult(
      <>
        <p id="ship-done">{done}</p>
        {refused.length > 0 && <ShipmentTable lines={refused} />}
      </>,
    )
    lookAgain()
  }
  return (
    <FoldedPanel id="shipments" title={voice.t('ship.title')} text={voice.t('rare.ship')} isHidden={isHidden}>
      <div class="shipments">
        {field}
        <p class="actions">
          <WorkButton id="ship-check" look="plain" work={check}>
            {voice.t('ship.check')}
          </WorkButton>
        </p>
        <div class="shipments__result" id="ship-result">
          {result}
        </div>
      </div>
    </FoldedPanel>
  )
}

function ShipmentTable({ lines }: { lines: readonly LineResult[] }) {
  const { voice } = useView()
  const results = inReadingOrder(lines).map((one) => ({
    ...{ line: one.line, about: one.orderId, code: one.code },
    said: one.code === 'invalid' ? voice.t('ship.invalid', { column: one.column }) : voice.t(`ship.code.${one.code}`),
  }))
  return <ResultTable subject="ship.order" results={results} />
}
