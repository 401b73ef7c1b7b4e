/** The import of tracking numbers, the lines that cannot be imported first. */
import { isChangedLine, type ShipmentLine } from '../../core/api/shipment-lines.ts'
import {
  isRefused,
  type LineResult,
  readShipmentFile,
  refusedFirst,
  type ShipmentFile,
  sendShipments,
} from '../../core/orders/shipment-file.ts'
import { control } from '../api.ts'
import { CsvImport, useSender } from '../parts/csv-import.tsx'
import { useView } from '../view.ts'

/** `refresh` is called after an import. */
type Props = { saleId: string; isHidden: boolean; refresh(): void }

export function ShipmentPanel({ saleId, isHidden, refresh }: Props) {
  const { voice, announce } = useView()
  const send = useSender()

  const sendLines = (lines: ShipmentFile['sendable'], dryRun: boolean) =>
    send(
      (done) => voice.t(dryRun ? 'ship.checking' : 'ship.busy', { done, total: lines.length }),
      (some: readonly ShipmentLine[]) => control.ship({ saleId, body: { lines: some, dryRun } }),
      (call, onProgress) => sendShipments(lines, call, onProgress),
    )

  async function check({ sendable, refused, ignored }: ShipmentFile) {
    const checked = await sendLines(sendable, true)
    if (checked === undefined || !checked.isComplete) return undefined
    const lines = [...refused, ...checked.sent]
    const changing = new Set(lines.filter(isChangedLine).map(({ line }) => line))
    const n = changing.size
    const wrong = lines.filter(isRefused).length
    const act = {
      ...({ label: voice.t('ship.do', { n }), look: 'main', effect: voice.t('effect.ship', { n }) } as const),
      work: () => carryOut(sendable.filter(({ line }) => changing.has(line))),
    }
    return {
      ready: voice.t('ship.ready', { n, same: lines.length - n - wrong, wrong }),
      ...{ results: shown(lines), ignored, act: n === 0 ? undefined : act },
    }
  }

  async function carryOut(lines: ShipmentFile['sendable']) {
    const done = await sendLines(lines, false)
    if (done === undefined) return undefined
    const { sent, isComplete } = done
    const n = sent.filter((one) => !isRefused(one)).length
    const text = isComplete
      ? voice.t('ship.done', { n, total: lines.length })
      : voice.t('ship.stopped', { done: sent.length, total: lines.length })
    if (isComplete) announce(text)
    refresh()
    return { text, results: shown(sent.filter(isRefused)) }
  }

  const shown = (lines: readonly LineResult[]) =>
    refusedFirst(lines).map((one) => ({
      ...{ line: one.line, about: one.orderId, code: one.code },
      said: 'column' in one ? voice.t(`ship.${one.code}`, { column: one.column }) : voice.t(`ship.code.${one.code}`),
    }))
  return (
    <CsvImport
      name="ship"
      panel={{ id: 'shipments', title: voice.t('ship.title'), text: voice.t('rare.ship'), isHidden }}
      field={{ name: 'shipments', label: voice.t('ship.file'), hint: voice.t('ship.hint') }}
      checkLabel={voice.t('ship.check')}
      subject={voice.t('ship.order')}
      read={readShipmentFile}
      check={check}
    />
  )
}
