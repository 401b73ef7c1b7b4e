/** Whom and which keys the gate refuses (R8): the list, and its form. */
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type BlockTerms, isBlockReason, maxBlocksOfImport } from '../../../../core/api/blocks.ts'
import type { BlockEntry } from '../../../../core/api/control-answers.ts'
import { type Block, type BlockKind, blockKinds, isWide, parseBlock } from '../../../../core/gate/block.ts'
import { type BlockFile, readBlockFile } from '../../../../core/gate/block-file.ts'
import { blockListMessages } from '../../../messages/catalogues.ts'
import { control } from '../api.ts'
import { askBefore } from '../lib/ask-before.ts'
import { CheckedFile, useCsvField, useListSender } from '../lib/csv-import.tsx'
import { Form, focusField, SelectField, TextField, TimeField, useComplaint, verbatim } from '../lib/field.tsx'
import { FoldedPanel } from '../lib/folded-panel.tsx'
import { fromLocalInput } from '../lib/typed.ts'
import { useOneAtATime, WorkButton } from '../lib/work-button.tsx'
import { blockEffects } from '../sale/effects.ts'
import { failureText } from '../view.ts'
import { useViewWith } from '../view-place.ts'
import { blockTexts } from './block-kinds.ts'

export function Blocks() {
  const { voice, may, announce, explain, isLeft } = useViewWith(blockListMessages)
  const [entries, setEntries] = useState<readonly BlockEntry[]>()
  const input = useRef<HTMLInputElement>(null)

  async function look(): Promise<void> {
    const answer = await control.listBlocks()
    if (isLeft()) return
    if (answer.ok) setEntries(answer.value.entries.toSorted((a, b) => b.when - a.when))
    else explain(answer.reply)
  }

  /** True when the block is set or taken away. */
  async function change(block: Block, terms?: BlockTerms): Promise<boolean> {
    const blocked = terms !== undefined
    if (!(await isMeant(voice, block, blocked))) return false
    announce(voice.t('do.working'))
    const { kind, value } = block
    // The reader was asked whether a wide range is meant.
    const query = isWide(block) ? { force: 'true' } : {}
    const answer = await (terms === undefined
      ? control.unblock({ kind, value })
      : control.block({ kind, value, query, body: terms }))
    if (isLeft()) return answer.ok
    const done = voice.t(blocked ? 'block.done' : 'block.undone', { value: block.value })
    announce(answer.ok ? done : failureText(voice, answer.reply))
    await look()
    return answer.ok
  }

  async function unblock(block: Block): Promise<void> {
    // The row goes with its button; the form is where the keyboard goes on.
    if (await change(block)) input.current?.focus()
  }

  useEffect(() => void look(), [])
  return (
    <>
      <h1>{voice.t('console.blocks')}</h1>
      <section class="panel">
        <p class="block__text">{voice.t('block.text')}</p>
        {may('block') && <BlockForm input={input} add={change} />}
      </section>
      {may('importBlocks') && <BlockImport imported={look} />}
      <div id="blocks">
        {entries?.length === 0 && <p class="empty">{voice.t('block.empty')}</p>}
        {entries !== undefined && entries.length > 0 && (
          <ul class="blocks" aria-label={voice.t('console.blocks')}>
            {entries.map((entry) => (
              <BlockRow key={`${entry.kind} ${entry.value}`} entry={entry} remove={() => unblock(entry)} />
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

function BlockRow({ entry, remove }: { entry: BlockEntry; remove(): Promise<void> }) {
  const { voice, may } = useViewWith(blockListMessages)
  const { kind, value, who, when, reason, until } = entry
  const ends = until === undefined ? '' : ` · ${voice.t('blocks.ends', { time: voice.farMoment(until) })}`
  const since = voice.t('block.since', { time: voice.moment(when), who })
  return (
    <li data-block={`${kind} ${value}`}>
      <div>
        <strong>{value}</strong>
        {reason !== undefined && <span class="blocks__reason">{reason}</span>}
        <small>{`${voice.t(blockTexts[kind].name)} · ${since}${ends}`}</small>
      </div>
      {may('unblock') && (
        <WorkButton
          id={`unblock-${kind}-${value}`}
          look="plain"
          aria-label={voice.t('block.undoOf', { value })}
          work={remove}
        >
          {voice.t('block.undo')}
        </WorkButton>
      )}
    </li>
  )
}

type BlocksVoice = ReturnType<typeof useViewWith<typeof blockListMessages>>['voice']

/** A wide range, such as /2 for /24, is more often a slip than meant. */
function isMeant(voice: BlocksVoice, block: Block, blocked: boolean): Promise<boolean> {
  const { value } = block
  if (!blocked) {
    return askBefore(voice, {
      title: voice.t('effect.unblockAsk', { value }),
      effects: [voice.t(blockTexts[block.kind].unblock)],
      choice: { value: 'unblock', label: voice.t('block.undo'), kind: 'main' },
    })
  }
  return askBefore(voice, {
    title: isWide(block) ? voice.t('block.wide') : voice.t('effect.blockAsk', { value }),
    effects: blockEffects(voice, block),
    choice: { value: 'block', label: voice.t('block.do'), kind: 'danger' },
  })
}

type FormProps = { input: RefObject<HTMLInputElement | null>; add(block: Block, terms: BlockTerms): Promise<boolean> }

const noTerms = { reason: '', until: '' }

/** `add` receives the entry in its canonical form; true empties the form. */
function BlockForm({ input, add }: FormProps) {
  const { voice, announce } = useViewWith(blockListMessages)
  const [kind, setKind] = useState<BlockKind>('ip')
  const [value, setValue] = useState('')
  const [{ reason, until }, setTerms] = useState(noTerms)
  const block = parseBlock(kind, value.trim())
  const end = until === '' ? undefined : fromLocalInput(until, undefined)
  const isReason = isBlockReason(reason.trim())
  const isEnd = end === undefined || end > Date.now()
  const [isWrong, complain] = useComplaint(block !== undefined && isReason && isEnd)
  const complaint = (isRight: boolean, text: string) => (isWrong && !isRight ? text : '')

  const [send] = useOneAtATime(async () => {
    if (block !== undefined && isReason && isEnd) {
      const terms = { ...(reason.trim() && { reason: reason.trim() }), ...(end !== undefined && { until: end }) }
      if (!(await add(block, terms))) return
      setValue('')
      return setTerms(noTerms)
    }
    complain()
    // The message about the entry before would seem to be about this one.
    announce('')
    if (block === undefined) input.current?.focus()
    else focusField(isReason ? 'blockUntil' : 'blockReason')
  })
  return (
    <Form class="block" id="block-form" submit={send}>
      <SelectField
        field={{ name: 'kind', label: voice.t('block.kind') }}
        options={blockKinds.map((one) => [one, voice.t(blockTexts[one].name)])}
        value={kind}
        enter={(chosen) => setKind(blockKinds.find((one) => one === chosen) ?? 'ip')}
      />
      <TextField
        field={{
          ...{ name: 'value', label: voice.t('block.value'), hint: voice.t('block.hint') },
          error: complaint(block !== undefined, voice.t(blockTexts[kind].wrong)),
        }}
        {...{ ...verbatim, input, value, enter: setValue }}
      />
      <TextField
        field={{
          ...{ name: 'blockReason', label: voice.t('blocks.reason'), hint: voice.t('blocks.reasonHint') },
          error: complaint(isReason, voice.t('blocks.wrongReason')),
        }}
        autocomplete="off"
        value={reason}
        enter={(text) => setTerms({ reason: text, until })}
      />
      <TimeField
        field={{
          ...{ name: 'blockUntil', label: voice.t('blocks.until'), hint: voice.t('blocks.untilHint') },
          error: complaint(isEnd, voice.t('blocks.wrongUntil')),
        }}
        value={until}
        zone={undefined}
        enter={(text) => setTerms({ reason, until: text })}
      />
      <button type="submit" class="button button--danger" id="block">
        {voice.t('block.do')}
      </button>
    </Form>
  )
}

/**
 * The import of a file into the block list, which is checked and shown before anything changes. `imported`: the list
 * has changed.
 */
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
      call: (some) => control.importBlocks({ body: { entries: some, dryRun } }),
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
