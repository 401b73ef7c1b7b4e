/** Whom and which keys the gate refuses (R8): the list, and its form. */
import type { BlockEntry } from '../../../../core/api/control.ts'
import { type Block, isWide } from '../../../../core/gate/block.ts'
import type { Choice } from '../../lib/confirm.ts'
import { make } from '../../lib/dom.ts'
import { listBlocks, setBlocked } from '../api.ts'
import { agreed } from '../lib/ask-before.ts'
import { workButton } from '../lib/work-button.ts'
import { blockEffects } from '../sale/effects.ts'
import { type ConsoleVoice, failureText, type Leave, type ViewContext } from '../view.ts'
import { blockForm } from './block-form.ts'
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
    return agreed(voice, {
      title: voice.t('effect.unblockAsk', { value }),
      effects: [voice.t(blockTexts[block.kind].unblock)],
      choice: { value: 'unblock', label: voice.t('block.undo'), kind: 'main' },
    })
  }
  const choice: Choice = { value: 'block', label: voice.t('block.do'), kind: 'danger' }
  const title = isWide(block) ? voice.t('block.wide') : voice.t('effect.blockAsk', { value })
  return agreed(voice, { title, effects: blockEffects(voice, block), choice })
}
