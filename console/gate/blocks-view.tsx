/** Whom and which keys the gate refuses (R8): the list, and its form. */
import { useState } from 'preact/hooks'
import { type BlockTerms, isBlockReason, maxBlocksOfImport } from '../../core/api/blocks.ts'
import { type Block, type BlockKind, blockKinds, isWide, networkBlock, parseBlock } from '../../core/gate/block.ts'
import { type BlockFile, readBlockFile } from '../../core/gate/block-file.ts'
import { type ChangeCounts, sendChanges } from '../../core/lib/slices.ts'
import { askFirst } from '../../web/confirm.ts'
import { control } from '../api.ts'
import { CsvImport, useSender } from '../parts/csv-import.tsx'
import { useEntryForm } from '../parts/entry-form.ts'
import { Form, SelectField, SubmitButton, TextField, TimeField, verbatim } from '../parts/field.tsx'
import { NamedList, useNamedList } from '../parts/named-list.tsx'
import { fromLocalInput } from '../parts/typed.ts'
import { WorkButton } from '../parts/work-button.tsx'
import { blockEffects } from '../sale/effects.ts'
import { useView } from '../view.ts'

export function Blocks() {
  const { voice, may } = useView()
  const { entries, hasFailed, look, change } = useNamedList(control.listBlocks, (read) =>
    read.entries.toSorted((a, b) => b.when - a.when),
  )

  /** True when the block is set. */
  async function block(entered: Block, terms: BlockTerms): Promise<boolean> {
    const network = networkBlock(entered)
    const chosen = network === undefined ? entered : await askNetwork(entered, network)
    if (chosen === undefined) return false
    const { kind, value } = chosen
    const isRange = isWide({ kind, value })
    const asked = {
      // A wide range, such as /2 for /24, is more often a slip than meant.
      title: isRange ? voice.t('block.wide') : voice.t('effect.blockAsk', { value }),
      effects: blockEffects(voice, { kind, value }),
      choice: { value: 'block', label: voice.t('block.do'), kind: 'danger' },
    } as const
    const query: Record<string, string> = isRange ? { force: 'true' } : {}
    const call = () => control.block({ kind, value, query, body: terms })
    const said = voice.t('block.done', { value })
    return (await change(call, { ...(network === undefined && { asked }), said })) !== undefined
  }

  /** Asks whether to block the network instead; undefined if the reader stepped back. */
  async function askNetwork(entered: Block, network: Block): Promise<Block | undefined> {
    const choice = await askFirst(
      voice.t('block.networkAsk'),
      [voice.t('block.networkText', network), voice.t('block.aloneText', entered), voice.t('effect.block.ip')],
      [
        { value: 'alone', label: voice.t('block.alone'), kind: 'plain' },
        { value: 'block', label: voice.t('block.network'), kind: 'danger' },
      ],
      voice.t('ask.back'),
    )
    return choice === 'block' ? network : choice && entered
  }

  function unblock({ kind, value }: Block) {
    const asked = {
      title: voice.t('effect.unblockAsk', { value }),
      effects: [voice.t(`effect.unblock.${kind}`)],
      choice: { value: 'unblock', label: voice.t('block.undo'), kind: 'main' },
    } as const
    const said = voice.t('block.undone', { value })
    return change(() => control.unblock({ kind, value }), { asked, said, next: 'value' })
  }

  return (
    <NamedList
      id="blocks"
      title={voice.t('console.blocks')}
      text={voice.t('block.text')}
      empty={voice.t('block.empty')}
      {...{ entries, hasFailed, look }}
      form={may('block') && <BlockForm add={block} />}
      between={may('importBlocks') && <BlockImport imported={look} />}
    >
      {(blocks) => (
        <ul class="blocks" aria-label={voice.t('console.blocks')}>
          {blocks.map(({ kind, value, who, when, reason, until }) => (
            <li key={`${kind} ${value}`} data-block={`${kind} ${value}`}>
              <div>
                <strong>{value}</strong>
                {reason !== undefined && <span class="blocks__reason">{reason}</span>}
                <small>
                  {voice.t(`block.kind.${kind}`)} · {voice.t('block.since', { time: voice.moment(when), who })}
                  {until !== undefined && ` · ${voice.t('blocks.ends', { time: voice.farMoment(until) })}`}
                </small>
              </div>
              {may('unblock') && (
                <WorkButton
                  id={`unblock-${kind}-${value}`}
                  look="plain"
                  aria-label={voice.t('block.undoOf', { value })}
                  work={() => unblock({ kind, value })}
                >
                  {voice.t('block.undo')}
                </WorkButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </NamedList>
  )
}

const nothing = { value: '', blockReason: '', blockUntil: '' }

/** `add` receives the entry in its canonical form; true empties the form. */
function BlockForm({ add }: { add(block: Block, terms: BlockTerms): Promise<boolean> }) {
  const { voice } = useView()
  const [kind, setKind] = useState<BlockKind>('ip')
  const [texts, setTexts] = useState(nothing)
  const words = {
    value: { label: voice.t('block.value'), hint: voice.t('block.hint') },
    blockReason: { label: voice.t('blocks.reason'), hint: voice.t('blocks.reasonHint') },
    blockUntil: { label: voice.t('blocks.until'), hint: voice.t('blocks.untilHint') },
  }
  const { complain, forget, input } = useEntryForm('', (name: keyof typeof nothing) => words[name], texts, setTexts)

  async function send(): Promise<void> {
    const block = parseBlock(kind, texts.value)
    const reason = texts.blockReason.trim()
    const until = texts.blockUntil === '' ? undefined : fromLocalInput(texts.blockUntil, undefined)
    if (block === undefined) return complain('value', voice.t(`block.wrong.${kind}`))
    if (!isBlockReason(reason)) return complain('blockReason', voice.t('blocks.wrongReason'))
    if (until !== undefined && !(until > Date.now())) return complain('blockUntil', voice.t('blocks.wrongUntil'))
    if (await add(block, { ...(reason && { reason }), ...(until !== undefined && { until }) })) setTexts(nothing)
  }
  return (
    <Form class="grid block" id="block-form" submit={send}>
      <SelectField
        field={{ name: 'kind', label: voice.t('block.kind') }}
        options={blockKinds.map((one) => [one, voice.t(`block.kind.${one}`)])}
        value={kind}
        enter={(chosen) => {
          setKind(blockKinds.find((one) => one === chosen) ?? 'ip')
          forget()
        }}
      />
      <TextField {...input('value')} {...verbatim} />
      <TextField {...input('blockReason')} autocomplete="off" />
      <TimeField {...input('blockUntil')} zone={undefined} />
      <SubmitButton look="danger" id="block">
        {voice.t('block.do')}
      </SubmitButton>
    </Form>
  )
}

/** The import of a file into the block list. `imported`: the list has changed. */
export function BlockImport({ imported }: { imported(): Promise<void> }) {
  const { voice, announce } = useView()
  const send = useSender()

  async function sendEntries({ entries }: BlockFile, dryRun: boolean): Promise<ChangeCounts | undefined> {
    const done = await send(
      (n) => voice.t('blocks.busy', { done: n, total: entries.length }),
      (some: typeof entries) => control.importBlocks({ body: { entries: some, dryRun } }),
      (call, onProgress) => sendChanges(entries, maxBlocksOfImport, call, onProgress),
    )
    return done?.isComplete ? done.sent : undefined
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
