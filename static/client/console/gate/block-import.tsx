/** The import of a file into the block list, which is checked and shown before anything changes. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { maxBlocksOfImport } from '../../../../core/api/blocks.ts'
import { type BlockFile, readBlockFile } from '../../../../core/gate/block-file.ts'
import { sendChanges } from '../../../../core/lib/slices.ts'
import { blockListMessages } from '../../../messages/catalogues.ts'
import { importBlocks } from '../api.ts'
import { useCsvField } from '../lib/csv-field.tsx'
import { FoldedPanel } from '../lib/folded-panel.tsx'
import { focusResult, IgnoredColumns, ResultTable } from '../lib/import-result.tsx'
import { WorkButton } from '../lib/work-button.tsx'
import { failureText } from '../view.ts'
import { useViewWith } from '../view-place.ts'

/** `imported`: the list has changed. */
export function BlockImport({ imported }: { imported(): Promise<void> }) {
  const { voice, announce, isLeft } = useViewWith(blockListMessages)
  const [result, setResult] = useState<ComponentChildren>()
  const [field, readFile] = useCsvField(
    { name: 'blocks', label: voice.t('blocks.file'), hint: voice.t('blocks.fileHint') },
    (bytes) => readBlockFile(bytes, Date.now()),
  )

  /** Undefined once the view was left, or when a call failed. */
  async function send({ entries }: BlockFile, dryRun: boolean) {
    let trouble: string | undefined
    const say = (done: number) => {
      if (!isLeft()) announce(voice.t('blocks.busy', { done, total: entries.length }))
    }
    say(0)
    const counts = await sendChanges(
      entries,
      maxBlocksOfImport,
      async (some) => {
        if (isLeft()) return undefined
        const answer = await importBlocks(some, dryRun)
        if (!answer.ok) trouble = failureText(voice, answer.reply)
        return answer.ok ? answer.value : undefined
      },
      say,
    )
    if (isLeft()) return undefined
    announce(trouble ?? '')
    return trouble === undefined ? counts : undefined
  }

  async function check(): Promise<void> {
    setResult(undefined)
    announce('')
    const file = await readFile()
    const counts = file && (await send(file, true))
    if (file === undefined || counts === undefined) return
    const { refused, ignored } = file
    setResult(
      <>
        <p id="blocks-ready" tabIndex={-1} ref={focusResult}>
          {voice.t('blocks.ready', { n: counts.changed, same: counts.same, wrong: refused.length })}
        </p>
        <IgnoredColumns columns={ignored} />
        {refused.length > 0 && (
          <ResultTable
            subject="block.value"
            results={refused.map(({ line, text, code }) => ({
              ...{ line, about: text, code },
              said: voice.t(`blocks.line.${code}`),
            }))}
          />
        )}
        {counts.changed > 0 && (
          <p class="actions">
            <WorkButton id="blocks-add" look="danger" work={() => carryOut(file)}>
              {voice.t('blocks.add', { n: counts.changed })}
            </WorkButton>
          </p>
        )}
      </>,
    )
  }

  async function carryOut(file: BlockFile): Promise<void> {
    const counts = await send(file, false)
    await imported()
    if (counts === undefined) return
    const done = voice.t('blocks.done', { n: counts.changed })
    announce(done)
    setResult(<p id="blocks-done">{done}</p>)
  }
  return (
    <FoldedPanel id="blocks-file" title={voice.t('blocks.title')} text={voice.t('blocks.text')}>
      <div class="shipments">
        {field}
        <p class="actions">
          <WorkButton id="blocks-check" look="plain" work={check}>
            {voice.t('blocks.check')}
          </WorkButton>
        </p>
        <div class="shipments__result">{result}</div>
      </div>
    </FoldedPanel>
  )
}
