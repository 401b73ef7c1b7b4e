/**
 * The import of tracking numbers: checks a file and shows what each line does, the lines that cannot
 * be imported first, and imports it once that was confirmed.
 */
import { isChange, type ShipmentLine } from '../../../../core/api/shipment-lines.ts'
import {
  inReadingOrder,
  isRefused,
  type LineResult,
  readShipmentFile,
  type ShipmentFile,
  sendShipments,
} from '../../../../core/orders/shipment-file.ts'
import { make } from '../../lib/dom.ts'
import { labelled } from '../../lib/labelled.ts'
import { shipOrders } from '../api.ts'
import { fileFaultText, fileIn } from '../lib/csv-choice.ts'
import { foldedPanel } from '../lib/folded-panel.ts'
import { ignoredColumns, resultTable } from '../lib/import-result.ts'
import { workButton } from '../lib/work-button.ts'
import { failureText, type ViewContext } from '../view.ts'

/** `onDone` is called after an import, `hasLeft` says whether the view was left meanwhile. */
export function shipmentPanel(
  context: ViewContext,
  saleId: string,
  onDone: () => void,
  hasLeft: () => boolean,
): HTMLElement {
  const { voice, announce } = context
  const input = make('input', { type: 'file', accept: '.csv,text/csv' })
  const field = labelled('shipments', voice.t('ship.file'), voice.t('ship.hint'), input)
  const result = make('div', { class: 'shipments__result', id: 'ship-result' })

  /** Sends the lines; undefined once the view was left, or when a call failed. */
  async function send(
    lines: ShipmentFile['sendable'],
    dryRun: boolean,
  ): Promise<{ results: LineResult[]; isWhole: boolean } | undefined> {
    const say = (done: number) => {
      if (!hasLeft()) announce(voice.t(dryRun ? 'ship.checking' : 'ship.busy', { done, total: lines.length }))
    }
    say(0)
    let trouble: string | undefined
    const call = async (some: readonly ShipmentLine[]) => {
      if (hasLeft()) return undefined
      const answer = await shipOrders(saleId, some, dryRun)
      if (!answer.ok) trouble = failureText(voice, answer.reply)
      return answer.ok ? answer.value.lines : undefined
    }
    const results = await sendShipments(lines, call, say)
    if (hasLeft()) return undefined
    if (trouble !== undefined) announce(trouble)
    return { results, isWhole: trouble === undefined }
  }

  async function check(): Promise<void> {
    result.replaceChildren()
    announce('')
    const file = await fileIn(input, readShipmentFile)
    field.complain(file.ok ? '' : voice.t(...fileFaultText(file.fault)))
    if (!file.ok) return input.focus()
    const checked = await send(file.sendable, true)
    if (checked === undefined || !checked.isWhole) return
    announce('')
    offer(file, [...file.refused, ...checked.results])
  }

  function offer({ sendable, ignored }: ShipmentFile, lines: readonly LineResult[]): void {
    const changing = new Set(lines.filter(isChange).map(({ line }) => line))
    const wrong = lines.filter(isRefused).length
    const same = lines.length - changing.size - wrong
    const ready = voice.t('ship.ready', { n: changing.size, same, wrong })
    const importAll = workButton('ship-do', 'main', voice.t('ship.do', { n: changing.size }), () =>
      carryOut(sendable.filter(({ line }) => changing.has(line))),
    )
    result.replaceChildren(
      make('p', { id: 'ship-ready', tabindex: -1 }, ready),
      ...ignoredColumns(voice, ignored),
      table(context, lines),
      ...(changing.size === 0
        ? []
        : [
            make('p', { id: 'ship-effect' }, voice.t('effect.ship', { n: changing.size })),
            make('p', { class: 'actions' }, importAll),
          ]),
    )
    result.querySelector<HTMLElement>('#ship-ready')?.focus()
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
    result.replaceChildren(
      make('p', { id: 'ship-done' }, done),
      ...(refused.length === 0 ? [] : [table(context, refused)]),
    )
    onDone()
  }

  const body = make(
    'div',
    { class: 'shipments' },
    field.element,
    make('p', { class: 'actions' }, workButton('ship-check', 'plain', voice.t('ship.check'), check)),
    result,
  )
  return foldedPanel({ id: 'shipments', title: voice.t('ship.title'), text: voice.t('rare.ship') }, body)
}

function table({ voice }: ViewContext, lines: readonly LineResult[]): HTMLElement {
  const results = inReadingOrder(lines).map((one) => ({
    ...{ line: one.line, about: one.orderId, code: one.code },
    said:
      one.code === 'invalid'
        ? voice.t('ship.invalid', { column: one.column })
        : voice.t(`ship.code.${one.code}`),
  }))
  return resultTable(voice, 'ship.order', results)
}
