/** The import of a file into the block list, which is checked and shown before anything changes. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { maxBlocksOfImport } from '../../../../core/api/blocks.ts'
import { type BlockFile, readBlockFile } from '../../../../core/gate/block-file.ts'
import { blockListMessages } from '../../../messages/catalogues.ts'
import { importBlocks } from '../api.ts'
import { useCsvField } from '../lib/csv-field.tsx'
import { FoldedPanel } from '../lib/folded-panel.tsx'
import { CheckedFile, useListSender } from '../lib/list-import.tsx'
import { WorkButton } from '../lib/work-button.tsx'
import { useViewWith } from '../view-place.ts'

/** `imported`: the list has changed. */
export function BlockImport({ imported }: { imported(): Promise<void> }) {
  const { voice, announce } = useViewWith(blockListMessages)
  const sendList = useListSender()
  const [result, setResult] = useState<ComponentChildren>()
  const [field, readFile] = useCsvField(
    { name: 'blocks', label: voice.t('blocks.file'), hint: voice.t('blocks.fileHint') },
    (bytes) => readBlockFile(bytes, Date.now()),
  )

  const send = ({ entries }: BlockFile, dryRun: boolean) =>
    sendList({
      items: entries,
      most: maxBlocksOfImport,
      call: (some) => importBlocks(some, dryRun),
      busy: (done) => voice.t('blocks.busy', { done, total: entries.length }),
    })

  async function check(): Promise<void> {
    setResult(undefined)
    announce('')
    const file = await readFile()
    const counts = file && (await send(file, true))
    if (file === undefined || counts === undefined) return
    const { changed, same } = counts
    setResult(
      <CheckedFile
        id="blocks-ready"
        ready={voice.t('blocks.ready', { n: changed, same, wrong: file.refused.length })}
        file={file}
        subject="block.value"
        lineText={(code) => voice.t(`blocks.line.${code}`)}
      >
        {changed > 0 && (
          <WorkButton id="blocks-add" look="danger" work={() => carryOut(file)}>
            {voice.t('blocks.add', { n: changed })}
          </WorkButton>
        )}
      </CheckedFile>,
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
