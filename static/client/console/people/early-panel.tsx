/**
 * The list of a sale for early access: how long it is, and the import of a file, which is checked and
 * shown before anything changes.
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ShopperId } from '../../../../core/ids.ts'
import { type EarlyFile, readEarlyFile, sendEarly } from '../../../../core/sale/early-file.ts'
import { reachMessages } from '../../../messages/catalogues.ts'
import { changeEarly, readEarlyList } from '../api.ts'
import { useCsvField } from '../lib/csv-field.tsx'
import { FoldedPanel } from '../lib/folded-panel.tsx'
import { focusResult, IgnoredColumns, ResultTable } from '../lib/import-result.tsx'
import { WorkButton } from '../lib/work-button.tsx'
import { failureText } from '../view.ts'
import { useViewWith } from '../view-place.ts'
import { InvitationForm } from './invitation-form.tsx'

type What = 'add' | 'remove'

export function EarlyPanel({ saleId }: { saleId: string }) {
  const { voice, announce, may, isLeft } = useViewWith(reachMessages)
  const [count, setCount] = useState('')
  const [invited, setInvited] = useState('')
  const [result, setResult] = useState<ComponentChildren>()
  const [field, readFile] = useCsvField(
    { name: 'early', label: voice.t('early.file'), hint: voice.t('early.fileHint') },
    readEarlyFile,
  )

  async function look(): Promise<void> {
    const answer = await readEarlyList(saleId)
    setCount(answer.ok ? voice.t('early.count', { n: answer.value.count }) : failureText(voice, answer.reply))
    if (answer.ok) setInvited(voice.t('invitations.count', answer.value.invitations))
  }
  useEffect(() => void look(), [])

  /** Sends the shoppers; undefined once the view was left, or when a call failed. */
  async function send(shoppers: readonly ShopperId[], what: What, dryRun: boolean) {
    let trouble: string | undefined
    const say = (done: number) => {
      if (!isLeft()) announce(voice.t('early.busy', { done, total: shoppers.length }))
    }
    say(0)
    const counts = await sendEarly(
      shoppers,
      async (some) => {
        if (isLeft()) return undefined
        const answer = await changeEarly(saleId, what, some, dryRun)
        if (!answer.ok) trouble = failureText(voice, answer.reply)
        return answer.ok ? answer.value : undefined
      },
      say,
    )
    if (isLeft()) return undefined
    announce(trouble ?? '')
    return trouble === undefined ? counts : undefined
  }

  async function check(what: What): Promise<void> {
    setResult(undefined)
    announce('')
    const file = await readFile()
    const counts = file && (await send(file.shoppers, what, true))
    if (file !== undefined && counts !== undefined) offer(file, what, counts)
  }

  function offer(file: EarlyFile, what: What, { changed, same }: { changed: number; same: number }): void {
    const { refused, ignored, shoppers } = file
    setResult(
      <>
        <p id="early-ready" tabIndex={-1} ref={focusResult}>
          {voice.t(`early.ready.${what}`, { n: changed, same, wrong: refused.length })}
        </p>
        <IgnoredColumns columns={ignored} />
        {refused.length > 0 && (
          <ResultTable
            subject="early.shopper"
            results={refused.map(({ line, text, code }) => ({
              ...{ line, about: text, code },
              said: voice.t(`early.line.${code}`),
            }))}
          />
        )}
        {changed > 0 && (
          <p class="actions">
            <WorkButton id="early-do" look="main" work={() => carryOut(shoppers, what)}>
              {voice.t(`early.do.${what}`, { n: changed })}
            </WorkButton>
          </p>
        )}
      </>,
    )
  }

  async function carryOut(shoppers: readonly ShopperId[], what: What): Promise<void> {
    const counts = await send(shoppers, what, false)
    await look()
    if (counts === undefined) return
    const done = voice.t(`early.done.${what}`, { n: counts.changed })
    announce(done)
    setResult(<p id="early-done">{done}</p>)
  }
  return (
    <FoldedPanel id="early-list" title={voice.t('early.title')} text={voice.t('early.text')}>
      <div class="shipments">
        <p id="early-count">{count}</p>
        {may('addEarly') && (
          <>
            {field}
            <p class="actions">
              {(['add', 'remove'] as const).map((what) => (
                <WorkButton key={what} id={`early-check-${what}`} look="plain" work={() => check(what)}>
                  {voice.t(`early.check.${what}`)}
                </WorkButton>
              ))}
            </p>
            <div class="shipments__result" id="early-result">
              {result}
            </div>
            <p id="invitations-count">{invited}</p>
            <InvitationForm saleId={saleId} onMade={look} />
          </>
        )}
      </div>
    </FoldedPanel>
  )
}
