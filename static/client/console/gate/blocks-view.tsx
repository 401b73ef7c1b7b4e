/** Whom and which keys the gate refuses (R8): the list, and its form. */
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { BlockEntry } from '../../../../core/api/control-answers.ts'
import { type Block, type BlockKind, blockKinds, isWide, parseBlock } from '../../../../core/gate/block.ts'
import { listBlocks, setBlocked } from '../api.ts'
import { askBefore } from '../lib/ask-before.ts'
import { Form, SelectField, TextField, useComplaint, verbatim } from '../lib/field.tsx'
import { useOneAtATime, WorkButton } from '../lib/work-button.tsx'
import { blockEffects } from '../sale/effects.ts'
import { type ConsoleVoice, failureText } from '../view.ts'
import { useView } from '../view-place.ts'
import { blockTexts } from './block-kinds.ts'

export function Blocks() {
  const { voice, may, announce, explain, isLeft } = useView()
  const [entries, setEntries] = useState<readonly BlockEntry[]>()
  const input = useRef<HTMLInputElement>(null)

  async function look(): Promise<void> {
    const answer = await listBlocks()
    if (isLeft()) return
    if (answer.ok) setEntries(answer.value.entries.toSorted((a, b) => b.when - a.when))
    else explain(answer.reply)
  }

  /** True when the block is set or taken away. */
  async function change(block: Block, blocked: boolean): Promise<boolean> {
    if (!(await isMeant(voice, block, blocked))) return false
    announce(voice.t('do.working'))
    const answer = await setBlocked(block, blocked)
    if (isLeft()) return answer.ok
    const done = voice.t(blocked ? 'block.done' : 'block.undone', { value: block.value })
    announce(answer.ok ? done : failureText(voice, answer.reply))
    await look()
    return answer.ok
  }

  async function unblock(block: Block): Promise<void> {
    // The row goes with its button; the form is where the keyboard goes on.
    if (await change(block, false)) input.current?.focus()
  }

  useEffect(() => void look(), [])
  return (
    <>
      <h1>{voice.t('console.blocks')}</h1>
      <section class="panel">
        <p class="block__text">{voice.t('block.text')}</p>
        {may('block') && <BlockForm input={input} add={(block) => change(block, true)} />}
      </section>
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
  const { voice, may } = useView()
  const { kind, value, who, when } = entry
  const since = voice.t('block.since', { time: voice.moment(when), who })
  return (
    <li data-block={`${kind} ${value}`}>
      <div>
        <strong>{value}</strong>
        <small>{`${voice.t(blockTexts[kind].name)} · ${since}`}</small>
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

/** A wide range, such as /2 for /24, is more often a slip than meant. */
function isMeant(voice: ConsoleVoice, block: Block, blocked: boolean): Promise<boolean> {
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

type FormProps = { input: RefObject<HTMLInputElement | null>; add(block: Block): Promise<boolean> }

/** `add` receives the entry in its canonical form; true empties the form. */
function BlockForm({ input, add }: FormProps) {
  const { voice, announce } = useView()
  const [kind, setKind] = useState<BlockKind>('ip')
  const [value, setValue] = useState('')
  const block = parseBlock(kind, value.trim())
  const [isWrong, complain] = useComplaint(block !== undefined)
  const error = isWrong ? voice.t(blockTexts[kind].wrong) : ''

  const [send] = useOneAtATime(async () => {
    if (block !== undefined) return (await add(block)) && setValue('')
    complain()
    // The message about the entry before would seem to be about this one.
    announce('')
    input.current?.focus()
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
        field={{ name: 'value', label: voice.t('block.value'), hint: voice.t('block.hint'), error }}
        {...{ ...verbatim, input, value, enter: setValue }}
      />
      <button type="submit" class="button button--danger" id="block">
        {voice.t('block.do')}
      </button>
    </Form>
  )
}
