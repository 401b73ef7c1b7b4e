/** Whom and which keys the gate refuses (R8): the list, and its form. */

import type { BlockEntry } from '../../../../core/api/control.ts'
import { type Block, blockKinds, isWide, parseBlock } from '../../../../core/gate/block.ts'
import type { Choice } from '../../lib/confirm.ts'
import { make } from '../../lib/dom.ts'
import { clearWhenRight, labelled } from '../../lib/labelled.ts'
import { listBlocks, setBlocked } from '../api.ts'
import { askBefore } from '../lib/ask-before.ts'
import { workButton } from '../lib/work-button.ts'
import { blockEffects } from '../sale/effects.ts'
import { type ConsoleVoice, failureText, type Leave, type ViewContext } from '../view.ts'
import { blockTexts } from './block-kinds.ts'

export function openBlocks(context: ViewContext): Leave {
  const { voice, may } = context
  let left = false
  const place = make('div', { id: 'blocks' })
  const form = blockForm(context, async (block) => (await isMeant(voice, block, true)) && change(block, true))
  context.show(
    make('h1', {}, voice.t('console.blocks')),
    make(
      'section',
      { class: 'panel' },
      make('p', { class: 'block__text' }, voice.t('block.text')),
      may('block') ? form : undefined,
    ),
    place,
  )

  async function look(): Promise<void> {
    const answer = await listBlocks()
    if (left) return
    if (answer.ok) draw(answer.value.entries)
    else context.explain(answer.reply)
  }

  /** True when the block is set or taken away. */
  async function change(block: Block, blocked: boolean): Promise<boolean> {
    context.announce(voice.t('do.working'))
    const answer = await setBlocked(block, blocked)
    if (left) return answer.ok
    const done = voice.t(blocked ? 'block.done' : 'block.undone', { value: block.value })
    context.announce(answer.ok ? done : failureText(voice, answer.reply))
    await look()
    return answer.ok
  }

  function draw(entries: readonly BlockEntry[]): void {
    const newest = [...entries].sort((a, b) => b.when - a.when)
    place.replaceChildren(
      newest.length === 0
        ? make('p', { class: 'empty' }, voice.t('block.empty'))
        : make('ul', { class: 'blocks', 'aria-label': voice.t('console.blocks') }, ...newest.map(row)),
    )
  }

  function row(entry: BlockEntry): HTMLElement {
    const { kind, value, who, when } = entry
    const remove = workButton(`unblock-${kind}-${value}`, 'plain', voice.t('block.undo'), async () => {
      // The row goes with its button; the form is where the keyboard goes on.
      if ((await isMeant(voice, entry, false)) && (await change(entry, false)))
        form.querySelector('input')?.focus()
    })
    remove.setAttribute('aria-label', voice.t('block.undoOf', { value }))
    const what = voice.t(blockTexts[kind].name)
    const since = voice.t('block.since', { time: voice.moment(when), who })
    const words = make('div', {}, make('strong', {}, value), make('small', {}, `${what} · ${since}`))
    return make('li', { 'data-block': `${kind} ${value}` }, words, may('unblock') ? remove : undefined)
  }

  void look()
  return () => {
    left = true
  }
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
  const choice: Choice = { value: 'block', label: voice.t('block.do'), kind: 'danger' }
  const title = isWide(block) ? voice.t('block.wide') : voice.t('effect.blockAsk', { value })
  return askBefore(voice, { title, effects: blockEffects(voice, block), choice })
}

/** `add` receives the entry in its canonical form; true empties the form. */
function blockForm({ voice, announce }: ViewContext, add: (block: Block) => Promise<boolean>): HTMLElement {
  const kind = make(
    'select',
    {},
    ...blockKinds.map((value) => make('option', { value }, voice.t(blockTexts[value].name))),
  )
  const input = make('input', { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' })
  const kindField = labelled('kind', voice.t('block.kind'), '', kind)
  const valueField = labelled('value', voice.t('block.value'), voice.t('block.hint'), input)
  const button = make(
    'button',
    { type: 'submit', class: 'button button--danger', id: 'block' },
    voice.t('block.do'),
  )
  let busy = false

  const entered = () => parseBlock(kind.value, input.value.trim())

  async function send(): Promise<void> {
    const block = entered()
    const chosen = blockKinds.find((value) => value === kind.value) ?? 'ip'
    valueField.complain(block === undefined ? voice.t(blockTexts[chosen].wrong) : '')
    if (busy) return
    if (block === undefined) {
      // The message about the entry before would seem to be about this one.
      announce('')
      return input.focus()
    }
    busy = true
    if (await add(block)) input.value = ''
    busy = false
  }

  const submit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  const form = make(
    'form',
    { class: 'block', id: 'block-form', novalidate: true, submit },
    kindField.element,
    valueField.element,
    button,
  )
  clearWhenRight(form, valueField, () => entered() !== undefined)
  return form
}
