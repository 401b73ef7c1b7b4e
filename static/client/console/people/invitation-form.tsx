/** Makes invitations to the list of a sale for early access, and saves them in a file: codes are in no other place. */
import { useRef, useState } from 'preact/hooks'
import { maxEarlyList } from '../../../../core/api/early-list.ts'
import { parseSaleId } from '../../../../core/ids.ts'
import { newInvitations, sendInvitations } from '../../../../core/sale/invitations.ts'
import { reachMessages } from '../../../messages/catalogues.ts'
import { saveFile } from '../../lib/save.ts'
import { invite } from '../api.ts'
import { Field, fieldInput } from '../lib/field.tsx'
import { WorkButton } from '../lib/work-button.tsx'
import { failureText } from '../view.ts'
import { useViewWith } from '../view-place.ts'

export function InvitationForm({ saleId, onMade }: { saleId: string; onMade(): Promise<void> }) {
  const { voice, announce, isLeft } = useViewWith(reachMessages)
  const [error, setError] = useState('')
  const input = useRef<HTMLInputElement>(null)

  async function make(): Promise<void> {
    const count = Number(input.current?.value)
    const id = parseSaleId(saleId)
    const isWrong = id === undefined || !Number.isInteger(count) || count < 1 || count > maxEarlyList
    setError(isWrong ? voice.t('invitations.wrong', { most: maxEarlyList }) : '')
    if (isWrong) return input.current?.focus()
    const { codes, csv } = newInvitations(id, count, location.origin)
    let trouble: string | undefined
    const sent = await sendInvitations(
      id,
      codes,
      async (digests) => {
        const answer = await invite(id, digests)
        if (!answer.ok) trouble = failureText(voice, answer.reply)
        return answer.ok ? answer.value : undefined
      },
      (done) => !isLeft() && announce(voice.t('early.busy', { done, total: count })),
    )
    // Codes that the shop does not know would only disappoint, so a part of them is saved alone.
    const known = csv.split('\r\n').slice(0, 1 + sent)
    if (sent > 0) saveFile(new Blob([`${known.join('\r\n')}\r\n`], { type: 'text/csv' }), `${id}-invitations.csv`)
    if (isLeft()) return
    await onMade()
    announce(trouble ?? voice.t('invitations.done', { n: sent }))
  }

  return (
    <>
      <Field name="invitations" label={voice.t('invitations.number')} hint={voice.t('invitations.hint')} error={error}>
        <input type="number" min="1" max={maxEarlyList} ref={input} {...fieldInput('invitations', error)} />
      </Field>
      <p class="actions">
        <WorkButton id="invitations-make" look="plain" work={make}>
          {voice.t('invitations.make')}
        </WorkButton>
      </p>
    </>
  )
}
