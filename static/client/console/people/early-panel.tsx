/**
 * The list of a sale for early access: how long it is, and the import of a file, which is checked and
 * shown before anything changes.
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { maxEarlyShoppers } from '../../../../core/api/early-list.ts'
import type { ShopperId } from '../../../../core/ids.ts'
import { readEarlyFile } from '../../../../core/sale/early-file.ts'
import { reachMessages } from '../../../messages/catalogues.ts'
import { changeEarly, readEarlyList } from '../api.ts'
import { useCsvField } from '../lib/csv-field.tsx'
import { FoldedPanel } from '../lib/folded-panel.tsx'
import { CheckedFile, useListSender } from '../lib/list-import.tsx'
import { WorkButton } from '../lib/work-button.tsx'
import { failureText } from '../view.ts'
import { useViewWith } from '../view-place.ts'
import { InvitationForm } from './invitation-form.tsx'

type What = 'add' | 'remove'

export function EarlyPanel({ saleId }: { saleId: string }) {
  const { voice, announce, may } = useViewWith(reachMessages)
  const sendList = useListSender()
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

  const send = (shoppers: readonly ShopperId[], what: What, dryRun: boolean) =>
    sendList({
      items: shoppers,
      most: maxEarlyShoppers,
      call: (some) => changeEarly(saleId, what, some, dryRun),
      busy: (done) => voice.t('early.busy', { done, total: shoppers.length }),
    })

  async function check(what: What): Promise<void> {
    setResult(undefined)
    announce('')
    const file = await readFile()
    const counts = file && (await send(file.shoppers, what, true))
    if (file === undefined || counts === undefined) return
    const { changed, same } = counts
    setResult(
      <CheckedFile
        id="early-ready"
        ready={voice.t(`early.ready.${what}`, { n: changed, same, wrong: file.refused.length })}
        file={file}
        subject="early.shopper"
        lineText={(code) => voice.t(`early.line.${code}`)}
      >
        {changed > 0 && (
          <WorkButton id="early-do" look="main" work={() => carryOut(file.shoppers, what)}>
            {voice.t(`early.do.${what}`, { n: changed })}
          </WorkButton>
        )}
      </CheckedFile>,
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
