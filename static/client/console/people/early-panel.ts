/**
 * The list of a sale for early access: how long it is, and the import of a file, which is checked and
 * shown before anything changes.
 */

import type { ShopperId } from '../../../../core/ids.ts'
import { type EarlyFile, readEarlyFile, sendEarly } from '../../../../core/sale/early-file.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import { make, setText } from '../../lib/dom.ts'
import { labelled } from '../../lib/labelled.ts'
import { changeEarly, readEarlyList } from '../api.ts'
import { fileFaultText, fileIn } from '../lib/csv-choice.ts'
import { foldedPanel } from '../lib/folded-panel.ts'
import { ignoredColumns, resultTable } from '../lib/import-result.ts'
import { workButton } from '../lib/work-button.ts'
import { failureText, type ViewContext } from '../view.ts'

type What = 'add' | 'remove'

/** `hasLeft` says whether the view was left meanwhile. */
export function earlyPanel(context: ViewContext, saleId: string, hasLeft: () => boolean) {
  const { voice, announce, may } = context
  const count = make('p', { id: 'early-count' })
  const input = make('input', { type: 'file', accept: '.csv,text/csv' })
  const field = labelled('early', voice.t('early.file'), voice.t('early.fileHint'), input)
  const result = make('div', { class: 'shipments__result', id: 'early-result' })
  const element = foldedPanel(
    { id: 'early-list', title: voice.t('early.title'), text: voice.t('early.text') },
    make(
      'div',
      { class: 'shipments' },
      count,
      ...(may('addEarly') ? [field.element, choices(), result] : []),
    ),
  )
  element.hidden = true
  let shown = false

  function choices(): HTMLElement {
    const button = (what: What) =>
      workButton(`early-check-${what}`, 'plain', voice.t(`early.check.${what}`), () => check(what))
    return make('p', { class: 'actions' }, button('add'), button('remove'))
  }

  async function look(): Promise<void> {
    const answer = await readEarlyList(saleId)
    if (hasLeft()) return
    setText(
      count,
      answer.ok ? voice.t('early.count', { n: answer.value.count }) : failureText(voice, answer.reply),
    )
  }

  /** Sends the shoppers; undefined once the view was left, or when a call failed. */
  async function send(shoppers: readonly ShopperId[], what: What, dryRun: boolean) {
    let trouble: string | undefined
    const say = (done: number) => {
      if (!hasLeft()) announce(voice.t('early.busy', { done, total: shoppers.length }))
    }
    say(0)
    const counts = await sendEarly(
      shoppers,
      async (some) => {
        if (hasLeft()) return undefined
        const answer = await changeEarly(saleId, what, some, dryRun)
        if (!answer.ok) trouble = failureText(voice, answer.reply)
        return answer.ok ? answer.value : undefined
      },
      say,
    )
    if (hasLeft()) return undefined
    announce(trouble ?? '')
    return trouble === undefined ? counts : undefined
  }

  async function check(what: What): Promise<void> {
    result.replaceChildren()
    announce('')
    const file = await fileIn(input, readEarlyFile)
    field.complain(file.ok ? '' : voice.t(...fileFaultText(file.fault)))
    if (!file.ok) return input.focus()
    const counts = await send(file.shoppers, what, true)
    if (counts !== undefined) offer(file, what, counts)
  }

  function offer(file: EarlyFile, what: What, { changed, same }: { changed: number; same: number }): void {
    const { refused, ignored, shoppers } = file
    const ready = voice.t(`early.ready.${what}`, { n: changed, same, wrong: refused.length })
    const carryOut = workButton('early-do', 'main', voice.t(`early.do.${what}`, { n: changed }), async () => {
      const counts = await send(shoppers, what, false)
      await look()
      if (counts === undefined) return
      const done = voice.t(`early.done.${what}`, { n: counts.changed })
      announce(done)
      result.replaceChildren(make('p', { id: 'early-done' }, done))
    })
    result.replaceChildren(
      make('p', { id: 'early-ready', tabindex: -1 }, ready),
      ...ignoredColumns(voice, ignored),
      ...(refused.length === 0 ? [] : [table(refused)]),
      ...(changed === 0 ? [] : [make('p', { class: 'actions' }, carryOut)]),
    )
    result.querySelector<HTMLElement>('#early-ready')?.focus()
  }

  function table(refused: EarlyFile['refused']): HTMLElement {
    return resultTable(
      voice,
      'early.shopper',
      refused.map(({ line, text, code }) => ({
        ...{ line, about: text, code },
        said: voice.t(`early.line.${code}`),
      })),
    )
  }

  return {
    element,
    /** Shows the panel of a sale whose list counts; reads the list once. */
    draw({ earlyAccess, archivedAt }: Pick<Sale, 'earlyAccess' | 'archivedAt'>): void {
      element.hidden = earlyAccess?.list !== 'on' || archivedAt !== undefined || !may('getEarlyList')
      if (element.hidden || shown) return
      shown = true
      void look()
    },
  }
}
