/** Whom and which keys the gate refuses (R8): the list, and its form. */
import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type BlockTerms, isBlockReason, maxBlocksOfImport } from '../../../../core/api/blocks.ts'
import type { BlockEntry } from '../../../../core/api/control-answers.ts'
import { type Block, type BlockKind, blockKinds, isWide, parseBlock } from '../../../../core/gate/block.ts'
import { type BlockFile, readBlockFile } from '../../../../core/gate/block-file.ts'
import { type ChangeCounts, sendChanges } from '../../../../core/lib/slices.ts'
import { blockListMessages } from '../../../messages/catalogues.ts'
import { control } from '../api.ts'
import { callAfter } from '../lib/ask-before.ts'
import { CsvImport, useSender } from '../lib/csv-import.tsx'
import { Form, focusField, SelectField, TextField, TimeField, useComplaint, verbatim } from '../lib/field.tsx'
import { NamedList, useEntries } from '../lib/named-list.tsx'
import { fromLocalInput } from '../lib/typed.ts'
import { useOneAtATime, WorkButton } from '../lib/work-button.tsx'
import { blockEffects } from '../sale/effects.ts'
import { useViewWith } from '../view-place.ts'
import { blockTexts } from './block-kinds.ts'

export function Blocks() {
  const context = useViewWith(blockListMessages)
  const { voice, may, announce } = context
  const input = useRef<HTMLInputElement>(null)
  const [entries, look] = useEntries(control.listBlocks, (read) => read.entries.toSorted((a, b) => b.when - a.when))

  /** True when the block is set. */
  async function block({ kind, value }: Block, terms: BlockTerms): Promise<boolean> {
    const isRange = isWide({ kind, value })
    const asked = {
      // A wide range, such as /2 for /24, is more often a slip than meant.
      title: isRange ? voice.t('block.wide') : voice.t('effect.blockAsk', { value }),
      effects: blockEffects(voice, { kind, value }),
      choice: { value: 'block', label: voice.t('block.do'), kind: 'danger' },
    } as const
    const query: Record<string, string> = isRange ? { force: 'true' } : {}
    const done = await callAfter(context, asked, () => control.block({ kind, value, query, body: terms }))
    if (done !== undefined) announce(voice.t('block.done', { value }))
    await look()
    return done !== undefined
  }

  async function unblock({ kind, value }: Block): Promise<void> {
    const asked = {
      title: voice.t('effect.unblockAsk', { value }),
      effects: [voice.t(blockTexts[kind].unblock)],
      choice: { value: 'unblock', label: voice.t('block.undo'), kind: 'main' },
    } as const
    const done = await callAfter(context, asked, () => control.unblock({ kind, value }))
    if (done !== undefined) announce(voice.t('block.undone', { value }))
    await look()
    // The row goes with its button; the form is where the keyboard goes on.
    if (done !== undefined) input.current?.focus()
  }

  return (
    <NamedList
      id="blocks"
      title={voice.t('console.blocks')}
      text={voice.t('block.text')}
      empty={voice.t('block.empty')}
      entries={entries}
      form={may('block') && <BlockForm input={input} add={block} />}
      between={may('importBlocks') && <BlockImport imported={look} />}
    >
      {(blocks) => (
        <ul class="blocks" aria-label={voice.t('console.blocks')}>
          {blocks.map((entry) => (
            <BlockRow key={`${entry.kind} ${entry.value}`} entry={entry} remove={() => unblock(entry)} />
          ))}
        </ul>
      )}
    </NamedList>
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

/** The import of a file into the block list. `imported`: the list has changed. */
export function BlockImport({ imported }: { imported(): Promise<void> }) {
  const { voice, announce } = useViewWith(blockListMessages)
  const send = useSender()

  async function sendEntries({ entries }: BlockFile, dryRun: boolean): Promise<ChangeCounts | undefined> {
    const done = await send(
      (n) => voice.t('blocks.busy', { done: n, total: entries.length }),
      (some: typeof entries) => control.importBlocks({ body: { entries: some, dryRun } }),
      (call, onProgress) => sendChanges(entries, maxBlocksOfImport, call, onProgress),
    )
    return done?.isWhole ? done.sent : undefined
  }

  async function carryOut(file: BlockFile) {
    const counts = await sendEntries(file, false)
    await imported()
    if (counts === undefined) return undefined
    const text = voice.t('blocks.done', { n: counts.changed })
    announce(text)
    return { text, results: [] }
  }
  return (
    <CsvImport
      name="blocks"
      panel={{ id: 'blocks-file', title: voice.t('blocks.title'), text: voice.t('blocks.text') }}
      field={{ name: 'blocks', label: voice.t('blocks.file'), hint: voice.t('blocks.fileHint') }}
      checkLabel={voice.t('blocks.check')}
      subject={voice.t('block.value')}
      read={(bytes) => readBlockFile(bytes, Date.now())}
      check={async (file) => {
        const counts = await sendEntries(file, true)
        if (counts === undefined) return undefined
        const { changed: n, same } = counts
        const label = voice.t('blocks.add', { n })
        return {
          ready: voice.t('blocks.ready', { n, same, wrong: file.refused.length }),
          results: file.refused.map(({ text, ...line }) => ({
            ...line,
            about: text,
            said: voice.t(`blocks.line.${line.code}`),
          })),
          ignored: file.ignored,
          act: n === 0 ? undefined : { label, look: 'danger', work: () => carryOut(file) },
        }
      }}
    />
  )
}
